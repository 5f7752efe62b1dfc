"""How the table of attention backends is made: classes taken out of vLLM, asked one by one, folded over releases."""
