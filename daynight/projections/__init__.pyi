from projections import *
