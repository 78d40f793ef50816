from projections.statistics import *
