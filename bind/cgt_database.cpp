#include <nanobind/stl/function.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "domineering/values/database.hpp"
#include "domineering/values/database_builder.hpp"
#include "limits.hpp"
#include "register.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace zermelo;
using namespace zermelo::cgt;

namespace {

BuildReport build(const std::string& path, int squares, double seconds, std::size_t bytes,
                  const std::function<void(const BuildProgress&)>& on_progress) {
  const Limits limits = interruptible_limits(seconds, bytes);
  const nb::gil_scoped_release released;
  return build_database(path, squares, limits, on_progress);
}

}  // namespace

void register_cgt_database(nb::module_& module) {
  nb::exception<DatabaseError>(module, "DatabaseError", PyExc_RuntimeError);

  nb::class_<ComponentDatabase>(module, "ComponentDatabase", "Values of all small components in one mapped file.")
      .def_static(
          "open", [](const std::string& path) { return ComponentDatabase::open(path); }, "path"_a)
      .def_prop_ro("max_squares", &ComponentDatabase::max_squares)
      .def_prop_ro("shapes", &ComponentDatabase::shapes)
      .def_prop_ro("games", &ComponentDatabase::games)
      .def(
          "components",
          [](const ComponentDatabase& database) {
            std::vector<std::pair<std::uint64_t, int>> all;
            all.reserve(database.shapes());
            for (int stride : STRIDES)
              for (std::uint64_t cells : database.keys(frame_index(stride))) all.emplace_back(cells, stride);
            return all;
          },
          "All shapes as (cells, stride): bit row * stride + column.");

  nb::class_<BuildProgress>(module, "BuildProgress")
      .def_ro("squares", &BuildProgress::squares)
      .def_ro("done", &BuildProgress::done)
      .def_ro("shapes", &BuildProgress::shapes);
  nb::class_<BuildReport>(module, "BuildReport")
      .def_ro("resumed_from", &BuildReport::resumed_from)
      .def_ro("squares", &BuildReport::squares)
      .def_ro("shapes", &BuildReport::shapes)
      .def_ro("games", &BuildReport::games)
      .def_ro("bytes", &BuildReport::bytes);
  module.attr("MAX_DATABASE_SQUARES") = MAX_DATABASE_SQUARES;
  module.def("build_component_database", &build, "path"_a, "squares"_a, "seconds"_a, "bytes"_a,
             "on_progress"_a.none() = nb::none());
}
