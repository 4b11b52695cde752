"""What does not fit into memory is refused before the work starts."""

import pytest
from kore._spark_limits import bytes_of, check, need_of, settings_of


def settings(master="yarn", tasks=1, **changes):
    values = {name.replace("_", "."): value for name, value in changes.items()}
    return settings_of(lambda name, default: values.get(name, default), master, tasks)


@pytest.mark.parametrize(
    ("text", "unit", "size"),
    [("512m", "b", 512 * 2**20), ("2g", "b", 2**31), ("1024", "m", 2**30), ("1gb", "b", 2**30), ("0", "b", 0)],
)
def test_sizes_are_read_as_spark_writes_them(text, unit, size):
    assert bytes_of(text, unit) == size


def test_small_models_fit_into_default_settings():
    check(need_of(500), settings())


def test_memory_of_tasks_is_shared_by_those_at_once():
    with pytest.raises(ValueError, match=r"96 MB to each of an executor's 4 tasks. Set spark.*Overhead to \d+m"):
        check(need_of(2500), settings(tasks=4))
    check(need_of(2500), settings(tasks=4, spark_executor_memoryOverhead="8g"))


def test_a_limit_of_python_counts_where_it_is_set():
    with pytest.raises(ValueError, match=r"spark.executor.pyspark.memory"):
        check(need_of(2500), settings(spark_executor_pyspark_memory="100m", spark_executor_memoryOverhead="8g"))


def test_the_advice_is_enough():
    need = need_of(6000)
    with pytest.raises(ValueError) as refusal:
        check(need, settings("spark://host:7077"))
    advised = str(refusal.value).split("spark.executor.memory to ")[1].split(",")[0]
    check(need, settings("spark://host:7077", spark_executor_memory=advised, spark_driver_memory="8g"))


def test_what_python_takes_itself_counts_where_its_address_space_is_limited():
    with pytest.raises(ValueError) as refusal:
        check(need_of(2500), settings(tasks=4, spark_executor_pyspark_memory="1200m"))
    advised = str(refusal.value).split("spark.executor.pyspark.memory to ")[1].split(",")[0]
    assert bytes_of(advised) >= 4 * (need_of(2500).task_bytes + 500 * 2**20)
    check(need_of(2500), settings(tasks=4, spark_executor_pyspark_memory=advised))


def test_on_one_machine_its_memory_is_the_limit():
    check(need_of(2500), settings("local[4]", tasks=4))
    with pytest.raises(ValueError, match="Take a machine with"):
        check(need_of(1_000_000), settings("local[*]", tasks=4))


def test_results_must_be_allowed_to_come_to_the_driver():
    roomy = {"spark_executor_memoryOverhead": "64g", "spark_driver_memory": "64g"}
    with pytest.raises(ValueError, match=r"spark.driver.maxResultSize lets 64 MB"):
        check(need_of(5000), settings(**roomy, spark_driver_maxResultSize="64m"))
    check(need_of(5000), settings(**roomy, spark_driver_maxResultSize="0"))
    with pytest.raises(ValueError, match=r"heap of 512 MB. Set spark.driver.memory"):
        check(need_of(5000), settings(**{**roomy, "spark_driver_memory": "512m"}))


def test_the_driver_must_be_able_to_solve():
    roomy = {
        "spark_executor_memoryOverhead": "99999g",
        "spark_driver_memory": "99999g",
        "spark_driver_maxResultSize": "0",
    }
    with pytest.raises(ValueError, match="Take a larger driver"):
        check(need_of(1_000_000), settings(**roomy))
