from projections.chains import *
