"""What does not fit into memory is refused before the work starts."""

import pytest
from kore import KOREAdditiveRegressor, KOREPairwiseRegressor, KORERegressor, _spark_limits
from kore._spark_limits import bytes_of, free_in_groups, need_of, settings_of


def check(need, settings, kind=KORERegressor):
    _spark_limits.check(need, settings, kind().get_params())


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


def test_plain_numbers_are_read_as_spark_reads_them():
    assert settings("spark://host:7077", spark_executor_memory="2048").python_bytes == 2**31
    assert settings(spark_driver_memory="2048").heap_bytes == 2**31
    assert settings(spark_driver_maxResultSize="2048").result_limit == 2048


def test_the_share_for_python_may_be_set():
    large = {"spark_executor_memory": "10g"}
    assert settings(**large).python_bytes == 2**30
    assert settings("k8s://host", **large).python_bytes == 4 * 2**30
    assert settings("k8s://host", **large, spark_executor_memoryOverheadFactor="0.2").python_bytes == 2 * 2**30
    assert settings(spark_executor_minMemoryOverhead="1g").python_bytes == 2**30


@pytest.mark.parametrize(
    ("kind", "advice"),
    [
        (KORERegressor, "a smaller max_G_add or max_G_pair, or pairs='none'."),
        (KOREAdditiveRegressor, "fewer features, or a smaller max_G."),
        (KOREPairwiseRegressor, "a smaller max_G, or fewer pairs."),
    ],
)
def test_the_advice_names_what_the_estimator_has(kind, advice):
    with pytest.raises(ValueError) as refusal:
        check(need_of(100_000), settings(), kind)
    assert str(refusal.value).endswith(advice)


def make_group(folder, version, limit, used, of_files):
    names = _spark_limits.GROUP_FILES[version]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / names[0]).write_text(f"{limit}\n")
    (folder / names[1]).write_text(f"{used}\n")
    (folder / "memory.stat").write_text(f"anon 5\n{names[2]} {of_files}\n")


def test_containers_have_the_memory_of_their_groups(tmp_path):
    assert not list(free_in_groups(tmp_path))
    groups = tmp_path / "proc/self/cgroup"
    groups.parent.mkdir(parents=True)
    groups.write_text("0::/pod/job\n")
    make_group(tmp_path / "sys/fs/cgroup/pod", 2, 1000, 700, 100)
    make_group(tmp_path / "sys/fs/cgroup/pod/job", 2, "max", 300, 0)
    assert list(free_in_groups(tmp_path)) == [400]
    groups.write_text("5:cpu,cpuacct:/\n4:memory:/pod/job\n")
    make_group(tmp_path / "sys/fs/cgroup/memory", 1, 900, 950, 0)  # all that a container may see of its group
    assert list(free_in_groups(tmp_path)) == [0]


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
