"""The command line `vllm`."""
