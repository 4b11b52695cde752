"""Predicts with a model of `kore export MODEL --to json`; docs/export.md describes the format. Needs Python alone."""

import bisect
import json
import math


class Model:
    """A model from a JSON file. `predict` takes a row as a dictionary; None and NaN are missing values."""

    versions = (1, 2, 3)

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.json = json.load(file)
        if self.json["format"] != "kore-model" or self.json["version"] not in self.versions:
            raise ValueError("not a model of version 1, 2 or 3")
        self._codes = [
            {self._level(column, level): code for code, level in enumerate(column.get("levels", []))}
            for column in self.json["inputs"]
        ]

    def predict(self, row):
        """The prediction; of classes a dictionary of their probabilities. None where there is none."""
        values = []
        for column, codes in zip(self.json["inputs"], self._codes, strict=True):
            value = row.get(column["name"])
            missing = value is None or value != value
            if column["kind"] == "category":
                values.append((None, len(codes) if missing else codes.get(self._level(column, value), len(codes) + 1)))
                continue
            number = column["stand_in"] if missing else float(value)
            allowed = column["allowed"]
            if math.isinf(number) or (allowed and not allowed["lowest"] <= number <= allowed["highest"]):
                return None
            values.append((number, int(missing)))
        functions = [self._functions(axis, *values[axis["input"]]) for axis in self.json["axes"]]
        if "classes" in self.json:
            return self._classes(functions)
        mean = self._with_offset(self._mean(self.json, functions), values)
        return mean if math.isfinite(mean) else None

    @staticmethod
    def _level(column, value):
        """Levels that are numbers are compared as numbers, so that 3 is 3.0."""
        if column.get("of") != "number":
            return str(value).lower() if isinstance(value, bool) else str(value)
        try:
            return float(value)
        except ValueError:
            return None

    def _mean(self, part, functions):
        """What the sum of terms is carried to."""
        eta = part["intercept"]
        for term in part["terms"]:
            eta += self._sum(term, [functions[a] for a in term["axes"]])
        return self._target(part, eta)

    def _with_offset(self, mean, values):
        offset = self.json["offset"]
        if offset is None:
            return mean
        known = values[offset["input"]][0]
        if offset["use"] == "summand":
            return mean + known
        if offset["use"] == "factor":
            return mean * known
        return mean * (math.exp(known) if known < 709 else math.inf)

    def _classes(self, functions):
        coupling = self.json["coupling"]
        scores = []
        for one in self.json["classes"]:
            mean = self._mean(one, functions)
            if mean != mean:
                return None
            mean = min(max(mean, coupling["least"]), 1 - coupling["least"])
            scores.append(coupling["yes"] * math.log(mean) - coupling["no"] * math.log1p(-mean))
        shares = [math.exp(score - max(scores)) for score in scores]
        return {one["name"]: share / sum(shares) for one, share in zip(self.json["classes"], shares, strict=True)}

    def _functions(self, axis, number, code):
        """The first function that is not zero, the values of it and its neighbours, and how many there are."""
        if axis["kind"] == "codes":
            return axis["first"][code], axis["values"][code], axis["functions"]
        if axis["kind"] == "values":
            place = bisect.bisect_left(axis["values"], number)
            known = place < len(axis["values"]) and axis["values"][place] == number
            return place if known else len(axis["values"]), [1.0], axis["functions"]
        within = self._less_periods(axis, number) if "period" in axis else self._warped(axis["warp"], number)
        position = (within - axis["first"]) * axis["scale"]
        held = position if axis["outside"] == "polynomial" else min(max(position, 0.0), axis["intervals"])
        beyond = position - held if axis["outside"] == "tangent" else 0.0
        cell = int(min(max(held, 0.0), axis["intervals"] - 1))
        u = held - cell
        values = []
        for polynomial in self.json["local_polynomials"][str(axis["degree"])]:
            value = slope = 0.0
            for coefficient in reversed(polynomial):
                slope = slope * u + value
                value = value * u + coefficient
            values.append(value + beyond * slope if beyond else value)
        return cell, values, axis["functions"]

    @staticmethod
    def _less_periods(axis, x):
        """A value that begins again; one that is too far away for its digits to say where counts as the first."""
        first, period = axis["first"], axis["period"]
        if abs(x - first) > 1e9 * period:
            return first
        return x - period * math.floor((x - first) / period)

    @staticmethod
    def _warped(warp, x):
        if warp is None:
            return x
        nodes, values = warp["nodes"], warp["values"]
        node = max(bisect.bisect_right(nodes, x) - 1, 0)
        piece = min(node, len(nodes) - 2)
        slope = (values[piece + 1] - values[piece]) / (nodes[piece + 1] - nodes[piece])
        return values[node] + (x - nodes[node]) * slope

    @staticmethod
    def _sum(term, functions):
        def part(axis, offset):
            if axis == len(functions):
                return term["coefficients"][offset]
            first, values, size = functions[axis]
            return sum(value * part(axis + 1, offset * size + first + s) for s, value in enumerate(values))

        return part(0, 0)

    def _target(self, part, eta):
        places, shifts = part["shift"]["places"], part["shift"]["shifts"]
        if places:
            after = bisect.bisect_right(places, eta)
            if 0 < after < len(places):
                share = (eta - places[after - 1]) / (places[after] - places[after - 1])
                eta += shifts[after - 1] + share * (shifts[after] - shifts[after - 1])
            else:
                eta += shifts[0] if after == 0 else shifts[-1]
        if self.json["link"] == "log":
            eta = math.exp(eta) if eta < 709 else math.inf
        elif self.json["link"] == "logit":
            eta = 1 / (1 + math.exp(-max(eta, -700.0)))
        elif self.json["link"] == "sqrt":
            eta = max(eta, 0.0) ** 2
        lowest, highest = part["limits"]["lowest"], part["limits"]["highest"]
        eta = eta if lowest is None else max(eta, lowest)
        return eta if highest is None else min(eta, highest)
