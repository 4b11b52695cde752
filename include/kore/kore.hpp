#pragma once

// The whole engine: spline regression that solves for its resolution.
#include "kore/basis.hpp"
#include "kore/design.hpp"
#include "kore/error.hpp"
#include "kore/fit.hpp"
#include "kore/ladder.hpp"
#include "kore/law.hpp"
#include "kore/model.hpp"
#include "kore/options.hpp"
#include "kore/rows.hpp"
#include "kore/screening.hpp"
#include "kore/select.hpp"
#include "kore/smoother.hpp"
#include "kore/solve.hpp"
#include "kore/statistics.hpp"
#include "kore/warp.hpp"
