"""Misspelt arguments, which mypy finds: each `ignore` is needed, or `--strict` calls it unused."""

import knightstour as kt

kt.solve("6x6", clsed=True)  # type: ignore[call-arg]
kt.solve("6x6", move_order="classic")  # type: ignore[call-arg]
kt.solve("6x6", settings="classic")  # type: ignore[arg-type]
kt.find_tour("6x6", avoided=["a1-b3"])  # type: ignore[call-arg]
kt.find_tour("6x6", n=3)  # type: ignore[call-arg]
kt.count("6x6", symmetrie="180")  # type: ignore[call-arg]
kt.iter_tours("6x6", require=["a1-b3"], ends="a1")  # type: ignore[call-arg]
kt.sample("6x6", 10, clsed=True)  # type: ignore[call-arg]
kt.compare("6x6", seed=1)  # type: ignore[call-arg]
kt.plan("6x6", symmetry=180)  # type: ignore[arg-type]
kt.Problem.of("6x6", closed="yes")  # type: ignore[arg-type]
kt.solve("6x6", visits="some")  # type: ignore[call-arg]
kt.solve("6x6", limits=5)  # type: ignore[call-arg]
kt.sample("6x6", 3, threads=2)  # type: ignore[call-arg]
kt.improve(kt.find_tour("6x6"), objective="turns")  # type: ignore[call-arg]
kt.solve("6x6", partial="yes")  # type: ignore[arg-type]
