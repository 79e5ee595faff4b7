"""Every file of the core includes what it uses of the standard library, itself or by way of a header of ours.

The library is compiled with a precompiled header and, under sanitizers, a folder at once: neither would notice. That a
file names every header of ours it needs is seen where the library is built for use, file by file.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

CORE = Path(__file__).resolve().parents[3] / "core"

# Which header has a name of std, or one of several that have it.
HEADERS = {
    "algorithm": (
        "all_of any_of binary_search clamp copy copy_n count equal fill fill_n find find_if is_sorted iter_swap "
        "lexicographical_compare lower_bound max max_element min min_element none_of partial_sort remove_if rotate "
        "sort partition_point stable_sort unique upper_bound"
    ),
    "array": "array",
    "atomic": "atomic atomic_thread_fence memory_order_acquire memory_order_relaxed memory_order_release",
    "bit": "bit_ceil bit_floor bit_width countl_zero countl_one countr_one countr_zero has_single_bit popcount rotl",
    "charconv": "from_chars",
    "chrono": "chrono",
    "cmath": "abs exp pow",
    "compare": "strong_ordering",
    "condition_variable": "condition_variable",
    "cstddef": "byte ptrdiff_t size_t",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t",
    "cstdio": "FILE fclose fflush fopen fread fwrite rewind size_t",
    "cstdlib": "abs getenv size_t",
    "cstring": "memcmp memcpy size_t",
    "deque": "deque erase_if",
    "exception": "current_exception exception_ptr rethrow_exception",
    "filesystem": "filesystem",
    "functional": "function greater",
    "initializer_list": "initializer_list",
    "limits": "numeric_limits",
    "map": "end erase_if map",
    "memory": "make_shared make_unique shared_ptr unique_ptr",
    "mutex": "defer_lock lock_guard mutex timed_mutex unique_lock",
    "new": "bad_alloc",
    "numeric": "iota",
    "optional": "nullopt optional",
    "set": "set",
    "span": "span",
    "stdexcept": "invalid_argument length_error logic_error runtime_error",
    "string": "end string to_string",
    "string_view": "end string_view",
    "system_error": "errc error_code",
    "thread": "jthread this_thread thread",
    "tuple": "tie tuple",
    "type_traits": "is_same_v",
    "unordered_map": "erase_if unordered_map unordered_multimap",
    "unordered_set": "unordered_set",
    "utility": "exchange in_place move pair swap",
    "vector": "end erase_if vector",
}


@cache
def text_of(file: Path) -> str:
    return re.sub(r"//.*", "", file.read_text())


@cache
def included(core: Path, file: Path) -> frozenset[str]:
    """The standard headers that a file includes, itself or by way of ours."""
    found = set(re.findall(r"^#include <([^>]+)>", text_of(file), re.MULTILINE))
    for name in re.findall(r'^#include "([^"]+)"', text_of(file), re.MULTILINE):
        found |= included(core, core / name)
    return frozenset(found)


def missing(core: Path) -> list[str]:
    """What files use and include nowhere; a name that is in no header above counts, too."""
    found = []
    for file in sorted(core.rglob("*.[ch]pp")):
        used = set(re.findall(r"\bstd::(?:ranges::)?(\w+)", text_of(file)))
        used |= set(re.findall(r"(?<!::)\b(u?int\d+_t|u?intptr_t|size_t|ptrdiff_t)\b", text_of(file)))
        for name in sorted(used):
            homes = [header for header, names in HEADERS.items() if name in names.split()]
            if not included(core, file).intersection(homes):
                found.append(f"{file.relative_to(core)}: {name} of {' or '.join(homes) or 'no header known here'}")
    return found


def test_core_includes_what_it_uses_of_the_standard_library() -> None:
    assert missing(CORE) == []


def test_include_test_finds_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "a.hpp").write_text("#include <vector>\n")
    (tmp_path / "a.cpp").write_text(
        '#include "a.hpp"\n#include <cstdint>\n'
        "std::vector<std::uint8_t> all; uint8_t one; // std::string\n"
        "std::string said; std::ranges::sort(all); std::brand_new x; size_t y;\n"
    )
    assert missing(tmp_path) == [
        "a.cpp: brand_new of no header known here",
        "a.cpp: size_t of cstddef or cstdio or cstdlib or cstring",
        "a.cpp: sort of algorithm",
        "a.cpp: string of string",
    ]
