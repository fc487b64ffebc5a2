"""`make bench`: every benchmark, each beside its yardstick in the same run."""

from tests.benchmarks import extract

for benchmark in (extract,):
    benchmark.main()
