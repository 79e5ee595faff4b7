"""Positional games: claims about edges and zones, each derived from earlier ones (FORMAT.md 6)."""

from __future__ import annotations

from zformat import MAX_CELLS, Budget, Reader, malformed, reject

MAX_EDGES = 4096
END, PAIRS, EDGE, STEP, SUM, SWAP = range(6)
MAKER, BREAKER = 0, 1


class Positional:
    outcomes = 2  # Maker or Breaker wins

    def __init__(self, reader: Reader, budget: Budget, game: int) -> None:
        self.reader = reader
        self.budget = budget
        self.nodes = 0
        self.maps: list[tuple[list[int], list[int]]] = []
        (self.read_mnk if game == 2 else self.read_hypergraph)()
        self.all_edges = (1 << len(self.edges)) - 1
        self.at = [0] * self.cells  # the edges through each cell
        for index, edge in enumerate(self.edges):
            for cell in range(self.cells):
                if edge >> cell & 1:
                    self.at[cell] |= 1 << index
        self.marks = []
        for _ in range(2):
            marked = 0
            for _ in range(reader.number(self.cells + 1, "number of marks")):
                cell = 1 << reader.number(self.cells, "cell")
                if marked & cell:
                    raise malformed("a cell is marked twice")
                marked |= cell
            self.marks.append(marked)
        if self.marks[MAKER] & self.marks[BREAKER]:
            raise malformed("a cell is marked by both players")
        self.starter, self.winner = reader.number(2, "starter"), reader.number(self.outcomes, "winner")
        self.claim.update(
            maker=self.cell_list(self.marks[MAKER]), breaker=self.cell_list(self.marks[BREAKER]),
            starter=("maker", "breaker")[self.starter], winner=("maker", "breaker", "draw")[self.winner],
        )  # fmt: skip

    def cell_list(self, cells: int) -> list[int]:
        return [cell for cell in range(self.cells) if cells >> cell & 1]

    def read_mnk(self) -> None:
        """m columns, n rows, k in a row; the edges in the order of FORMAT.md 6.1, and the symmetries."""
        m, n, k = (self.reader.number(MAX_CELLS + 1, what) for what in ("columns", "rows", "length"))
        if not 1 <= m * n <= MAX_CELLS or not k:
            raise malformed("the board must have 1 to 256 cells and a line at least one")
        self.cells = m * n
        self.edges: list[int] = []
        for row in range(n):
            for col in range(m):
                for dc, dr in ((1, 0), (0, 1), (1, 1), (-1, 1)) if k > 1 else ((1, 0),):
                    if 0 <= col + (k - 1) * dc < m and row + (k - 1) * dr < n:
                        self.edges.append(sum(1 << ((row + i * dr) * m + col + i * dc) for i in range(k)))
        index = {edge: i for i, edge in enumerate(self.edges)}
        for image in range(8 if m == n else 4):
            cells = []
            for row in range(n):
                for col in range(m):
                    c, r = (row, col) if image & 4 else (col, row)
                    c, r = m - 1 - c if image & 1 else c, n - 1 - r if image & 2 else r
                    cells.append(r * m + c)
            lines = [index[sum(1 << cells[c] for c in range(m * n) if edge >> c & 1)] for edge in self.edges]
            self.maps.append((cells, lines))
        self.claim: dict[str, object] = {"game": "mnk", "spec": f"{m},{n},{k}"}

    def read_hypergraph(self) -> None:
        self.cells = self.reader.number(MAX_CELLS + 1, "number of vertices")
        self.edges = []
        for _ in range(self.reader.number(MAX_EDGES + 1, "number of hyperedges")):
            edge = 0
            for _ in range(self.reader.number(self.cells + 1, "size of a hyperedge")):
                cell = 1 << self.reader.number(self.cells, "vertex")
                if edge & cell:
                    raise malformed("a vertex twice in a hyperedge")
                edge |= cell
            if not edge:
                raise malformed("an empty hyperedge")
            self.edges.append(edge)
        self.maps.append((list(range(self.cells)), list(range(len(self.edges)))))
        lines = [" ".join(map(str, self.cell_list(edge))) for edge in self.edges]
        self.claim = {"game": "hypergraph", "spec": "; ".join(lines)}

    def reference(self) -> tuple[int, int]:
        """An earlier claim, seen through a symmetry."""
        back = self.reader.varint()
        if not 1 <= back <= len(self.claims):
            raise malformed("a reference to a claim that does not come before")
        return self.through_symmetry(*self.claims[-back])

    def through_symmetry(self, need: int, zone: int) -> tuple[int, int]:
        image = self.reader.number(len(self.maps), "symmetry")
        if image:
            cells, edges = self.maps[image]
            zone = sum(1 << cells[c] for c in self.cell_list(zone))
            wide = edges if self.winner == BREAKER else cells
            need = sum(1 << wide[i] for i in range(need.bit_length()) if need >> i & 1)
        return need, zone

    def check(self) -> None:
        """Read claims until END; the last one must prove the certificate's claim (FORMAT.md 6.4)."""
        last = self.read_records()
        self.reader.end()
        self.conclude(*last)

    def read_claims(self) -> None:
        """Read claims until END."""
        # For Breaker a claim is (edges left alone, zone); for Maker (cells already held, zone).
        self.claims: list[tuple[int, int]] = []
        while (tag := self.reader.byte()) != END:
            self.nodes += 1
            self.budget.look()  # a record may be long
            self.budget.store(2 + (len(self.edges) + self.cells) // 800)
            self.claims.append(self.derive(tag))

    def read_records(self) -> tuple[int, int]:
        self.read_claims()
        if not self.claims:
            raise malformed("a proof without claims")
        need, zone = self.claims[-1]
        if self.starter == self.winner:
            move = self.reader.number(self.cells, "cell")
            need, zone = self.after(need, zone, move)
        return need, zone

    def conclude(self, need: int, zone: int) -> None:
        if zone & (self.marks[MAKER] | self.marks[BREAKER]):
            raise reject("the zone holds a marked cell")
        held = self.marks[MAKER]
        if self.winner == BREAKER:
            held = 0
            for cell in self.cell_list(self.marks[BREAKER]):
                held |= self.at[cell]
        if need & ~held:
            raise reject("the last claim asks for more than the position has")

    def derive(self, tag: int) -> tuple[int, int]:
        reader = self.reader
        if tag == PAIRS and self.winner == BREAKER:
            zone, need = 0, self.all_edges
            for _ in range(reader.number(self.cells // 2 + 1, "number of pairs")):
                one, two = reader.number(self.cells, "cell"), reader.number(self.cells, "cell")
                if one == two or zone >> one & 1 or zone >> two & 1:
                    raise reject("the pairs overlap")
                zone |= 1 << one | 1 << two
                need &= ~(self.at[one] & self.at[two])
            return need, zone
        if tag == EDGE and self.winner == MAKER:
            return self.edges[reader.number(len(self.edges), "hyperedge")], 0
        if tag == STEP:
            need, union, common = 0, 0, -1
            for _ in range(reader.number(MAX_CELLS + 1, "number of replies")):
                move = reader.number(self.cells, "cell")
                more, zone = self.after(*self.reference(), move)
                need |= more
                union |= zone
                common &= zone
            if common:
                raise reject("the zones of a step have a cell in common")
            if self.winner == MAKER and need & union:
                raise reject("a cell is both held and free")
            return need, union
        if tag == SUM and self.winner == BREAKER:
            need, zone = self.all_edges, 0
            for _ in range(reader.number(MAX_CELLS + 1, "number of parts")):
                more, part = self.reference()
                if zone & part:
                    raise reject("the zones of a sum overlap")
                need &= more
                zone |= part
            return need, zone
        if tag == SWAP and self.winner == BREAKER:
            need, zone = self.reference()
            out, into = reader.number(self.cells, "cell"), reader.number(self.cells, "cell")
            if not zone >> out & 1 or zone >> into & 1:
                raise reject("a swap needs a cell of the zone and one outside")
            # An edge that `out` may have hit alone is lost, unless another edge is hit elsewhere inside it.
            others = [
                edge & zone for index, edge in enumerate(self.edges) if not (need >> index & 1 or edge >> out & 1)
            ]
            lost = self.at[out] & ~self.at[into] & ~need
            for index in range(lost.bit_length()):
                self.budget.tick()
                if lost >> index & 1 and all(part & ~self.edges[index] for part in others):
                    need |= 1 << index
            return need, zone ^ (1 << out | 1 << into)
        raise malformed(f"unknown tag {tag}")

    def after(self, need: int, zone: int, move: int) -> tuple[int, int]:
        """The claim before the winner's move, from the claim after it."""
        gained = self.at[move] if self.winner == BREAKER else 1 << move
        return need & ~gained, zone | 1 << move
