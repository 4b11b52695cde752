"""The 36 data sets of the study: where they come from, and what a file of each must look like."""

from __future__ import annotations

from dataclasses import dataclass

UCI = "CC BY 4.0"
NOT_STATED = "not stated by the source"


@dataclass(frozen=True)
class DataSet:
    """A data set of the study."""

    name: str
    source: str  # "openml:<id of the data set>" or "uci:<id>"
    rows: int
    numeric: int  # columns, before dummies
    categorical: int
    features: int  # columns after dummies
    target: str
    licence: str
    citation: str
    # Names of the categorical columns; None where only their number is published and the source must name them.
    categories: tuple[str, ...] | None = ()


_STUDENT = (
    "school sex address famsize Pstatus Mjob Fjob reason guardian schoolsup famsup paid activities nursery higher "
    "internet romantic"
)
_FLARE = (
    "class largest_spot_size spot_distribution Activity Previous_24_hour_flare_activity_code Historically-complex "
    "Did_region_become_historically_complex Area"
)


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _openml(
    name: str,
    number: int,
    shape: tuple[int, int, int, int],
    target: str,
    licence: str,
    citation: str,
    categories: str | None = "",
) -> DataSet:
    rows, numeric, categorical, features = shape
    named = None if categories is None else _names(categories)
    return DataSet(name, f"openml:{number}", rows, numeric, categorical, features, target, licence, citation, named)


# In the order of the published run, which the draws of the subsamples depend on. Rows, columns and dummies are those
# of the published list; licences are those that the source states, to the best of our knowledge.
DATA_SETS: tuple[DataSet, ...] = (
    _openml("abalone", 44956, (4177, 7, 1, 10), "Class_Rings", UCI, "Nash et al. (1994), UCI", "Sex"),
    _openml("airfoil_self_noise", 44957, (1503, 5, 0, 5), "sound_pressure", UCI, "Brooks, Pope, Marcolini (1989), UCI"),
    _openml(
        "auction_verification",
        44958,
        (2043, 5, 2, 16),
        "verification.time",
        UCI,
        "Ordoni, Bach, Fleck (2022), UCI",
        "property.product property.winner",
    ),
    _openml("concrete_compressive_strength", 44959, (1030, 8, 0, 8), "strength", UCI, "Yeh (1998), UCI"),
    _openml("energy_efficiency", 44960, (768, 8, 0, 8), "heating_load", UCI, "Tsanas, Xifara (2012), UCI"),
    _openml("forest_fires", 44962, (517, 10, 2, 29), "area", UCI, "Cortez, Morais (2007), UCI", "month day"),
    _openml("physiochemical_protein", 44963, (45730, 9, 0, 9), "RMSD", UCI, "Rana (2013), UCI"),
    _openml("superconductivity", 44964, (21263, 81, 0, 81), "critical_temp", UCI, "Hamidieh (2018), UCI"),
    _openml(
        "geographical_origin_of_music", 44965, (1059, 116, 0, 116), "latitude", UCI, "Zhou, Claire, King (2014), UCI"
    ),
    _openml(
        "solar_flare",
        44966,
        (1066, 2, 8, 29),
        "C-class_flares_production_by_this_region",
        UCI,
        "Bradshaw (1989), UCI",
        _FLARE,
    ),
    _openml("student_performance_por", 44967, (649, 13, 17, 56), "G3", UCI, "Cortez, Silva (2008), UCI", _STUDENT),
    _openml(
        "naval_propulsion_plant",
        44969,
        (11934, 14, 0, 14),
        "gt_compressor_decay_state_coefficient",
        UCI,
        "Coraddu et al. (2016), UCI",
    ),
    _openml("QSAR_fish_toxicity", 44970, (908, 6, 0, 6), "LC50", UCI, "Cassotti et al. (2015), UCI"),
    _openml("white_wine", 44971, (4898, 11, 0, 11), "quality", UCI, "Cortez et al. (2009), UCI"),
    _openml("red_wine", 44972, (1599, 11, 0, 11), "quality", UCI, "Cortez et al. (2009), UCI"),
    _openml("grid_stability", 44973, (10000, 12, 0, 12), "stab", UCI, "Arzamasov, Boehm, Jochem (2018), UCI"),
    _openml("video_transcoding", 44974, (68784, 16, 2, 24), "utime", UCI, "Deneke et al. (2014), UCI", "codec o_codec"),
    _openml("wave_energy", 44975, (72000, 48, 0, 48), "energy_total", UCI, "Neshat et al. (2018), UCI"),
    _openml("sarcos", 44976, (48933, 21, 0, 21), "V22", NOT_STATED, "Vijayakumar, Schaal (2000)"),
    _openml(
        "california_housing", 44977, (20640, 8, 0, 8), "medianHouseValue", NOT_STATED, "Pace, Barry (1997), StatLib"
    ),
    _openml("cpu_activity", 44978, (8192, 21, 0, 21), "usr", NOT_STATED, "Rasmussen et al. (1996), Delve"),
    _openml("diamonds", 44979, (53940, 6, 3, 26), "price", NOT_STATED, "Wickham (2016), ggplot2", "cut color clarity"),
    _openml("kin8nm", 44980, (8192, 8, 0, 8), "y", NOT_STATED, "Ghahramani (1996), Delve"),
    _openml("pumadyn32nh", 44981, (8192, 32, 0, 32), "thetadd6", NOT_STATED, "Corke (1996), Delve"),
    _openml("miami_housing", 44983, (13932, 15, 0, 15), "SALE_PRC", NOT_STATED, "Bourassa et al. (2021)"),
    _openml(
        "cps88wages",
        44984,
        (28155, 2, 4, 12),
        "wage",
        NOT_STATED,
        "Bierens, Ginther (2001)",
        "ethnicity smsa region parttime",
    ),
    _openml(
        "socmob",
        44987,
        (1156, 1, 4, 39),
        "counts_for_sons_current_occupation",
        NOT_STATED,
        "Biblarz, Raftery (1993)",
        "fathers_occupation sons_occupation family_structure race",
    ),
    _openml("kings_county", 44989, (21613, 17, 4, 132), "price", NOT_STATED, "House sales in King County", None),
    _openml(
        "brazilian_houses",
        44990,
        (10692, 5, 4, 49),
        "total_(BRL)",
        NOT_STATED,
        "Brazilian houses to rent (2020)",
        "city floor animal furniture",
    ),
    _openml("fps_benchmark", 44992, (24624, 30, 13, 125), "FPS", NOT_STATED, "Peeters (2021)", None),
    _openml("health_insurance", 44993, (22272, 4, 7, 25), "whrswk", NOT_STATED, "Olson (1998)", None),
    _openml("cars", 44994, (804, 17, 0, 17), "Price", NOT_STATED, "Kuiper (2008)"),
    _openml("fifa", 45012, (19178, 27, 1, 190), "wage_eur", NOT_STATED, "FIFA players (2021)", "nationality_name"),
    _openml("Moneyball", 41021, (1232, 8, 6, 72), "RS", NOT_STATED, "Baseball statistics 1962-2012", None),
    _openml("space_ga", 45402, (3107, 6, 0, 6), "ln_votes_pop", NOT_STATED, "Pace, Barry (1997), StatLib"),
    DataSet("combined_cycle_power_plant", "uci:294", 9568, 4, 0, 4, "PE", UCI, "Tüfekci (2014), UCI"),
)


def data_set(name: str) -> DataSet:
    """The entry of that name."""
    for entry in DATA_SETS:
        if entry.name == name:
            return entry
    raise ValueError(f"There is no data set '{name}'; there are {', '.join(entry.name for entry in DATA_SETS)}.")
