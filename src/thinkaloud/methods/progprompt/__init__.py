"""ProgPrompt (Singh et al., 2023): one program with assertions and what to do where they fail. A baseline."""
