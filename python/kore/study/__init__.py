"""The paper's study on real data: 36 data sets, its methods, and a runner.

``python -m kore.study --help`` tells what there is; ``kore study summarize`` makes the statistics of what was run.
"""
