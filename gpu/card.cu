#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <thread>

#include "card.hpp"

namespace zermelo::gpu {

namespace {

std::string version(int number) { return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10); }
std::string gibibytes(std::size_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GiB", static_cast<double>(bytes) / (1 << 30));
  return text;
}

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::string text = std::string(what) + ": " + cudaGetErrorString(error);
  if (error == cudaErrorNoDevice) text = "no NVIDIA card was found on this machine";
  if (error == cudaErrorInsufficientDriver) {
    int known = 0;
    cudaDriverGetVersion(&known);
    text = known == 0 ? "no NVIDIA card was found on this machine: there is no driver for one"
                      : "the card's driver is too old: it is made for CUDA " + version(known) +
                            ", and this program needs " + version(CUDART_VERSION / 1000 * 1000) + " or newer";
  }
  if (error == cudaErrorNoKernelImageForDevice)
    text = "this build has no code for this card; it needs compute capability 9.0 or newer";
  throw std::runtime_error(text);
}

template <class Item>
class OnCard {
 public:
  OnCard() = default;
  OnCard(std::size_t count, const char* what) : count_(count) {
    const std::size_t bytes = std::max<std::size_t>(count, 1) * sizeof(Item);
    const cudaError_t error = cudaMalloc(&data_, bytes);
    if (error == cudaErrorMemoryAllocation) {
      std::size_t free = 0, all = 0;
      cudaMemGetInfo(&free, &all);
      throw std::runtime_error(std::string("too little memory on the card for ") + what + ": " + gibibytes(bytes) +
                               " are needed, " + gibibytes(free) + " of " + gibibytes(all) + " are free");
    }
    check(error, what);
  }
  OnCard(const OnCard&) = delete;
  OnCard(OnCard&& from) noexcept { swap(from); }
  OnCard& operator=(OnCard&& from) noexcept {
    swap(from);
    return *this;
  }
  ~OnCard() { cudaFree(data_); }
  void swap(OnCard& with) {
    std::swap(data_, with.data_);
    std::swap(count_, with.count_);
  }
  Item* data() const { return data_; }
  std::size_t size() const { return count_; }
  void put(const Item* from, std::size_t count) {
    check(cudaMemcpy(data_, from, count * sizeof(Item), cudaMemcpyHostToDevice), "copying to the card");
  }
  void get(Item* to, std::size_t count) const {
    check(cudaMemcpy(to, data_, count * sizeof(Item), cudaMemcpyDeviceToHost), "copying from the card");
  }
  void clear() { check(cudaMemset(data_, 0, count_ * sizeof(Item)), "clearing memory of the card"); }

 private:
  Item* data_ = nullptr;
  std::size_t count_ = 0;
};

struct Warp {
  static constexpr int WIDTH = 32;
  __device__ __forceinline__ int lane() const { return static_cast<int>(threadIdx.x & 31); }
  __device__ __forceinline__ void sync() const { __syncwarp(); }
  __device__ __forceinline__ std::uint64_t clock() const { return static_cast<std::uint64_t>(clock64()); }
  __device__ __forceinline__ std::uint32_t ballot(bool value) const { return __ballot_sync(~0u, value); }
  __device__ __forceinline__ std::uint32_t below() const { return (1u << lane()) - 1; }
  __device__ __forceinline__ int from(int value, int lane) const { return __shfl_sync(~0u, value, lane); }
  // The sum of `mine` over the lanes before this one, and over all.
  __device__ __forceinline__ int before(int mine, int& total) const {
    int sum = mine;
    for (int step = 1; step < WIDTH; step *= 2) {
      const int other = __shfl_up_sync(~0u, sum, step);
      if (lane() >= step) sum += other;
    }
    total = __shfl_sync(~0u, sum, WIDTH - 1);
    return sum - mine;
  }
};

__device__ void fill_spread(SpreadTable& spread) {
  for (int i = threadIdx.x; i < (MAX_HEIGHT - 1) * 256; i += blockDim.x)
    spread[i / 256][i % 256] = spread_byte(i / 256 + 2, i % 256);
  __syncthreads();
}

constexpr int EVALUATE_THREADS = 256, SEARCH_THREADS = 128, SEARCH_WARPS = SEARCH_THREADS / 32;

__global__ void __launch_bounds__(EVALUATE_THREADS)
    evaluate_all(const LinesToCut* lines, std::size_t count, Tables tables, MarginPair* margins) {
  __shared__ SpreadTable spread;
  fill_spread(spread);
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const auto sum = best_cut<true>(lines[i].line, lines[i].count, {}, tables, spread);
    margins[i] = {static_cast<std::int16_t>(sum.margin_first()), static_cast<std::int16_t>(sum.margin_second())};
  }
}

constexpr int COUNTERS = sizeof(Counters) / sizeof(unsigned long long);

struct Work {
  const Unit* units;
  unsigned count;
  volatile std::uint8_t* answers;
  unsigned* next;
  unsigned long long* counters;  // as many as Counters has
  Frame* frames;
  bool help;
};

__global__ void __launch_bounds__(SEARCH_THREADS, 5)
    search_units(const __grid_constant__ SearchSetting given, Work work) {
  __shared__ SearchSetting setting;  // functions that are called take addresses
  if (threadIdx.x == 0) setting = given;
  __shared__ SpreadTable spread;
  __shared__ Scratch scratch[SEARCH_WARPS];
  fill_spread(spread);
  const Warp warp;
  const unsigned number = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  UnitSearch<Warp> search(warp, setting, spread, scratch[threadIdx.x / 32],
                          work.frames + std::size_t{number} * MAX_DEPTH, number);
  Counters& counters = scratch[threadIdx.x / 32].count;
  if (warp.lane() == 0) counters = {};
  unsigned look = number * 2654435761u % work.count;
  while (!warp.from(*setting.stop, 0)) {
    // A fresh unit; when there is none, one that has no answer yet, each warp from another place on.
    unsigned at = 0;
    if (warp.lane() == 0) at = atomicAdd(work.next, 1u);
    at = static_cast<unsigned>(warp.from(static_cast<int>(at), 0));
    if (at >= work.count) {
      if (warp.lane() == 0) atomicSub(work.next, 1u);
      if (!work.help) break;
      bool found = false;
      for (unsigned base = 0; base < work.count && !found; base += 32) {
        const unsigned i = (look + base + static_cast<unsigned>(warp.lane())) % work.count;
        const std::uint32_t open = warp.ballot(!work.answers[i]);
        if (!open) continue;
        at = (look + base + static_cast<unsigned>(lowest(open))) % work.count;
        found = true;
      }
      if (!found) break;
      look = at;
    }
    const Answer answer = search.run(work.units[at], work.answers + at);
    __syncwarp();
    if (warp.lane() == 0 && answer != Answer::UNKNOWN) work.answers[at] = static_cast<std::uint8_t>(answer);
    __syncwarp();
  }
  __syncwarp();
  for (int i = warp.lane(); i < COUNTERS; i += Warp::WIDTH)
    atomicAdd(work.counters + i, reinterpret_cast<const unsigned long long*>(&counters)[i]);
}

constexpr std::uint32_t BUSY_MARKS = 1u << 18;

}  // namespace

struct Card::Memory {
  OnCard<std::uint16_t> number[MAX_HEIGHT + 1];
  OnCard<PairWords> entry[MAX_HEIGHT + 1];
  Tables tables;
  OnCard<Entry> answers;
  OnCard<std::uint32_t> busy;
  OnCard<int> stop;
  OnCard<Frame> frames;
  int processors = 0, search_blocks = 0;
  std::string name;
};

void find_card() {
  int cards = 0;
  check(cudaGetDeviceCount(&cards), "looking for a card");
  if (cards == 0) check(cudaErrorNoDevice, "");
}

Card::Card(const HostTable (&tables)[MAX_HEIGHT + 1], std::size_t answer_bytes) : memory_(new Memory) {
  cudaDeviceProp about;
  check(cudaGetDeviceProperties(&about, 0), "asking the card");
  memory_->processors = about.multiProcessorCount;
  memory_->name = about.name;
  for (int height = 2; height <= MAX_HEIGHT; ++height) {
    const HostTable& from = tables[height];
    if (!from.number) continue;
    memory_->number[height] = OnCard<std::uint16_t>(from.patterns, "strip tables");
    memory_->entry[height] = OnCard<PairWords>(from.entries, "strip tables");
    memory_->number[height].put(from.number, from.patterns);
    memory_->entry[height].put(from.entry, from.entries);
    memory_->tables.number[height] = memory_->number[height].data();
    memory_->tables.entry[height] = memory_->entry[height].data();
    memory_->tables.widest[height] = from.widest;
  }
  std::size_t groups = 1;
  while (2 * groups * GROUP * sizeof(Entry) <= answer_bytes) groups *= 2;
  memory_->answers = OnCard<Entry>(groups * GROUP, "the table of answers");
  memory_->answers.clear();
  memory_->busy = OnCard<std::uint32_t>(BUSY_MARKS, "busy marks");
  memory_->stop = OnCard<int>(1, "the stop flag");
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, search_units, SEARCH_THREADS, 0), "planning the search");
  memory_->search_blocks = blocks * memory_->processors;
  memory_->frames =
      OnCard<Frame>(std::size_t(memory_->search_blocks) * SEARCH_WARPS * MAX_DEPTH, "the stacks of the search");
}
Card::~Card() = default;
std::string Card::name() const { return memory_->name; }

std::vector<MarginPair> Card::evaluate(const std::vector<LinesToCut>& lines, double& seconds) {
  OnCard<LinesToCut> from(lines.size(), "positions");
  OnCard<MarginPair> to(lines.size(), "margins");
  from.put(lines.data(), lines.size());
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "timing");
  check(cudaEventCreate(&end), "timing");
  float best = 1e9f;
  for (int pass = 0; pass < 3; ++pass) {
    to.clear();
    check(cudaEventRecord(begin), "timing");
    evaluate_all<<<memory_->processors * 16, EVALUATE_THREADS>>>(from.data(), lines.size(), memory_->tables, to.data());
    check(cudaGetLastError(), "evaluating");
    check(cudaEventRecord(end), "timing");
    check(cudaEventSynchronize(end), "evaluating");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end), "timing");
    best = std::min(best, milliseconds);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  seconds = best / 1000;
  std::vector<MarginPair> margins(lines.size());
  to.get(margins.data(), margins.size());
  return margins;
}

SearchReport Card::search(const std::vector<Unit>& units, const SearchOrder& order) {
  if (order.rows * order.cols > MAX_KEY_SQUARES || order.rows > 11 || order.cols > 11)
    throw std::invalid_argument("the search on a card takes boards of at most 11x11");
  SearchReport report;
  report.answers.resize(units.size());
  if (units.empty()) return report;
  OnCard<Unit> on_card(units.size(), "units");
  on_card.put(units.data(), units.size());
  OnCard<std::uint8_t> answers(units.size(), "answers");
  answers.clear();
  OnCard<unsigned> next(1, "a counter");
  next.clear();
  OnCard<unsigned long long> counters(COUNTERS, "counters");
  counters.clear();
  memory_->busy.clear();
  memory_->stop.clear();
  memory_->answers.clear();
  check(cudaDeviceSynchronize(), "clearing memory of the card");

  SearchSetting setting;
  setting.rows = order.rows;
  setting.cols = order.cols;
  setting.tables = memory_->tables;
  setting.table = {memory_->answers.data(), memory_->answers.size() / GROUP};
  setting.busy = {memory_->busy.data(), BUSY_MARKS};
  setting.stop = memory_->stop.data();
  setting.shared = order.help;
  const Work work{on_card.data(),  static_cast<unsigned>(units.size()),
                  answers.data(),  next.data(),
                  counters.data(), memory_->frames.data(),
                  order.help};
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  cudaStream_t search, control;
  check(cudaStreamCreateWithFlags(&search, cudaStreamNonBlocking), "a stream");
  check(cudaStreamCreateWithFlags(&control, cudaStreamNonBlocking), "a stream");
  search_units<<<memory_->search_blocks, SEARCH_THREADS, 0, search>>>(setting, work);
  check(cudaGetLastError(), "starting the search");
  cudaError_t state;
  while ((state = cudaStreamQuery(search)) == cudaErrorNotReady) {
    if (!report.stopped && elapsed() > order.seconds) {
      report.stopped = true;
      check(cudaMemsetAsync(memory_->stop.data(), 1, sizeof(int), control), "stopping the search");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  check(state, "searching");
  report.seconds = elapsed();
  cudaStreamDestroy(search);
  cudaStreamDestroy(control);
  static_assert(sizeof(Answer) == 1);
  answers.get(reinterpret_cast<std::uint8_t*>(report.answers.data()), units.size());
  counters.get(reinterpret_cast<unsigned long long*>(&report.counters), COUNTERS);
  report.warps = memory_->search_blocks * SEARCH_WARPS;
  return report;
}

}  // namespace zermelo::gpu
