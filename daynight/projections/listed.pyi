from projections.listed import *
