"""The public names of `knightstour.datasets`, each with the module it comes from."""

from .lab.sampling.datasets.checking import DataSetReport as DataSetReport
from .lab.sampling.datasets.checking import check_dataset as check_dataset
from .lab.sampling.datasets.reading import DataSet as DataSet
from .lab.sampling.datasets.reading import read_dataset as read_dataset
from .lab.sampling.datasets.writing import sample_dataset as sample_dataset
