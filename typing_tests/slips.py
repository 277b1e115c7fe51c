"""Misspelt arguments, which mypy finds: each `ignore` is needed, or `--strict` calls it unused."""

import knightstour as kt
from knightstour.core.model.budget import as_arguments

kt.solve("6x6", clsed=True)  # type: ignore[call-arg]
kt.solve("6x6", settings={"move_order": "classic"})  # type: ignore[call-arg]
kt.solve("6x6", settings="classic")  # type: ignore[arg-type]
kt.find_tour("6x6", avoided=["a1-b3"])  # type: ignore[call-arg]
kt.find_tour("6x6", n=3)  # type: ignore[call-arg]
kt.count("6x6", symmetrie="180")  # type: ignore[call-arg]
kt.iter_tours("6x6", require=["a1-b3"], ends="a1")  # type: ignore[call-arg]
kt.sample("6x6", 10, clsed=True)  # type: ignore[call-arg]
kt.compare("6x6", seed=1)  # type: ignore[call-arg]
kt.plan("6x6", symmetry=180)  # type: ignore[arg-type]
kt.Problem.of("6x6", closed="yes")  # type: ignore[arg-type]
kt.solve("6x6", partial=True)  # type: ignore[call-arg]
kt.solve("6x6", **as_arguments(5))  # type: ignore[call-arg]
kt.sample("6x6", 3, workers=2)  # type: ignore[call-arg]
kt.improve(kt.find_tour("6x6"), minimize="turns")  # type: ignore[call-arg]
kt.solve("6x6", partial="yes")  # type: ignore[arg-type]
