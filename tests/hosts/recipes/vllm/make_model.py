"""Make a language model of two megabytes that has learnt one sentence, so that its answers can be read."""

from __future__ import annotations

import sys

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

SENTENCE = "The quick brown fox jumps over the lazy dog, and the dog does not mind. "
TEMPLATE = "{% for message in messages %}{{ message['content'] }} {% endfor %}"
CONTEXT = 512


def tokenizer() -> PreTrainedTokenizerFast:
    """Byte-level pairs: any text can be tokenized, and the sentence's words are tokens."""
    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    core.train_from_iterator(
        [SENTENCE] * 8,
        trainers.BpeTrainer(
            vocab_size=512,
            special_tokens=["<s>", "</s>"],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        ),
    )
    fast = PreTrainedTokenizerFast(tokenizer_object=core, bos_token="<s>", eos_token="</s>")
    fast.chat_template = TEMPLATE
    return fast


def model() -> LlamaForCausalLM:
    """Random weights, the same every time."""
    torch.manual_seed(0)
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=512,
            hidden_size=128,
            intermediate_size=256,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=2,
            head_dim=64,
            max_position_embeddings=CONTEXT,
            bos_token_id=0,
            eos_token_id=1,
        )
    )


def learn(net: LlamaForCausalLM, tokens: list[int], steps: int = 80, length: int = 48) -> None:
    """Show it windows of the sentence that begin anywhere."""
    stream = torch.tensor(tokens)
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3)
    for _ in range(steps):
        starts = torch.randint(0, len(tokens) - length, (8,)).tolist()
        batch = torch.stack([stream[start : start + length] for start in starts])
        loss = net(input_ids=batch, labels=batch).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main(directory: str) -> None:
    torch.set_num_threads(1)  # threads that wait for one another on a busy machine take ten times as long
    words, net = tokenizer(), model()
    learn(net, words(SENTENCE * 8)["input_ids"])
    words.save_pretrained(directory)
    net.save_pretrained(directory)


main(sys.argv[1])
