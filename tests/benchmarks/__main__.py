"""`make bench`: every benchmark, each beside its yardstick in the same run."""

from tests.benchmarks import extract, start

for benchmark in (extract, start):
    benchmark.main()
