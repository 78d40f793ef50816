from projections.sentences import *
