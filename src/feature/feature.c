/* feature/feature.c - see include/pardup/feature/feature.h */
#include "pardup/feature/feature.h"

#define ROW(kind, name, help, counts, result, input, ...)                                          \
    [PD_FEATURE_##kind] = {name, help, counts, result, input},
const struct pd_feature pd_features[PD_NFEATURES] = {PD_FEATURES(ROW)};
