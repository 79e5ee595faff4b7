"""Certificates of Domineering (checker/FORMAT.md 3 to 5): claims, and proofs from the search that has solved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from zermelo import _core
from zermelo.domineering.lattice import TOPOLOGIES
from zermelo.domineering.position import LARGEST_BOARD, Player, Position, core_player, opponent
from zermelo.domineering.searcher import takes_components
from zermelo.domineering.solve import DomineeringChooser
from zermelo.files import scratch_name
from zermelo.game import Answer, Chooser, Clock, Game, Limits, Written
from zermelo.game import Player as PlayerName
from zermelo.game import Position as AnyPosition
from zermelo.running import run_cancellable

if TYPE_CHECKING:
    from zermelo.proof.container import Bytes, Claim

STRATEGY, RECTANGLE = 1, 4  # game bytes
PROOF_SHARE = 4
"""One part in so many of the memory is for the positions of the certificate."""


def player_bytes(*players: str) -> bytes:
    """Return players as the format writes them.

    :raises ValueError: if one of them is not a player.
    """
    return bytes(core_player(player) == _core.Player.H for player in players)


class DomineeringProofs(Game):
    """The game's services for certificates. The format's own modules are loaded when they are first used."""

    claim_codes = (STRATEGY, RECTANGLE)

    def proof_chooser(
        self, limits: Limits, options: Mapping[str, Any] = {}, folder: Path | None = None
    ) -> DomineeringChooser:
        """Return a chooser whose tables a checker can follow: it can prove every position that it has solved.

        :raises ValueError: if it would not search.
        """
        options = self.options_given(options)
        if options.get("method") == "rules":
            raise ValueError("a strategy is written from a search; for results of the rules use: zermelo proof derive")
        # The certificate's positions have a share of the memory; the search has the rest, and needs 1 MiB at least.
        search = limits.with_(memory=max(min(limits.memory, 1 << 20), limits.memory - limits.memory // PROOF_SHARE))
        return DomineeringChooser(search, {**options, "method": "search"}, for_proof=True)

    def claim_bytes(self, position: AnyPosition, starter: str, winner: str) -> bytes:
        """Return the claim about a position as the format writes it."""
        from zermelo.game.plain import board_bytes

        position = cast(Position, position)
        if position.lattice.area > LARGEST_BOARD:
            raise ValueError(f"a strategy is for boards of at most {LARGEST_BOARD} squares: zermelo proof derive")
        head = bytes([STRATEGY, TOPOLOGIES.index(position.topology)])
        board = board_bytes(position.rows, position.cols, position.free)
        return head + board + player_bytes(starter, winner)

    def read_claim(self, code: int, payload: Bytes) -> Claim:
        """Read a claim after its game byte: of a position, or of a rectangle of any size."""
        from zermelo.game.plain import read_board
        from zermelo.proof.container import Claim

        topology = payload.varint() if code == STRATEGY else 0
        if topology > 3:
            raise ValueError("the certificate's board is not possible")
        if code == STRATEGY:
            spec = (f"{TOPOLOGIES[topology]}:" if topology else "") + read_board(payload)
        else:
            rows, cols = payload.varints(2)
            if not rows * cols:
                raise ValueError("the certificate's board is not possible")
            spec = f"{rows}x{cols}"
        starter, winner = ("VH"[player & 1] for player in payload.varints(2))
        return Claim("domineering", spec, starter, winner, code)

    def prove(
        self,
        position: AnyPosition,
        first: PlayerName,
        path: Path,
        limits: Limits = Limits(),
        chooser: Chooser | None = None,
        answer: Answer | None = None,
    ) -> Written:
        """Write the certificate of who wins when ``first`` starts.

        Cylinders, tori and boards with a side over 32 are proved by covers, others by strips, from the tables of a
        :meth:`proof_chooser`; ``answer`` is its answer, if it has solved the position. Progress counts what is written.

        :raises ValueError: if the position is too large.
        """
        from zermelo.proof.container import compress_proof

        position, first = cast(Position, position), cast(Player, first)
        self.claim_bytes(position, first, first)  # raises for a board that has none
        by_strips = takes_components(position.board)
        mine = self.proof_chooser(limits)
        if isinstance(chooser, DomineeringChooser) and chooser.for_proof:
            mine = chooser if not by_strips or chooser.papers_settings(position) is None else mine
        clock = Clock(limits)
        # Where a position equals its own transpose, the proofs for both starters differ by the names of the players.
        known = answer if mine is chooser else None
        twin = first == "H" and position.transposed() == position and (known is None or known.by == "symmetry")
        starter: Player = "V" if twin else first

        def work(token: _core.CancelToken, raw: Path) -> Written:
            within = limits.with_(cancel=token, on_progress=None)
            found = known or mine.answer(position, starter, within, want_move=False)
            winner, nodes = cast("Player | None", found.winner), found.nodes
            unknown = Written(None, None, nodes=nodes)
            if winner is None:
                return unknown
            if twin and known is not None:
                winner = opponent(winner)  # of V, whose strategy is written
            players = core_player(starter), core_player(winner)
            memory, left = limits.memory // PROOF_SHARE, clock.left().with_(nodes=None).of_core(token)
            if by_strips:
                search = mine.component_search(position)
                stats = _core.write_domineering_proof(
                    search, position.board, *players, str(raw), memory, limits.threads, left
                )
            else:
                stats = _core.write_cover_proof(position.board, *players, str(raw), 2 * memory, left)
            if stats.stopped != _core.StopReason.FINISHED:
                return unknown
            winner = opponent(winner) if twin else winner
            claim = self.claim_bytes(position, first, winner)
            size = compress_proof(claim, raw, path, threads=limits.threads, cancelled=lambda: bool(token.cancelled))
            if size == 0:
                return unknown
            return Written(winner, path, size, stats.positions, nodes)

        with scratch_name(path) as raw:
            return run_cancellable(lambda token: work(token, raw), limits.cancel)

    def merged_proof(self, parts: Sequence[bytes], root: AnyPosition, starter: PlayerName, winner: PlayerName) -> bytes:
        """Join the payloads of certificates after a move into that of the position before it.

        The parts need the same winner and board size. Where the loser is to move there must be a part for each of her
        moves, where the winner is to move one part is enough; this may go over several plies.

        :raises ValueError: if a part is missing.
        """
        from zermelo.domineering.replay import ALL, FIRST_MOVE, StrategyReader
        from zermelo.proof.container import varint

        frame = StrategyReader(self.claim_bytes(root, starter, winner))
        proofs: dict[tuple[int, bool], bytes] = {}
        for number, payload in enumerate(parts, 1):
            part = StrategyReader(payload)
            if (part.claim.winner, part.position.lattice) != (winner, cast(Position, root).lattice):
                raise ValueError(f"part {number} is about another board or another winner")
            proofs[part.free, part.loser_starts] = payload[part.proof_at :]

        def build(free: int, loser_to_move: bool, depth: int) -> bytes | None:
            if (free, loser_to_move) in proofs:
                return proofs[free, loser_to_move]
            if depth == 0:
                return None
            moves = frame.moves(free, loser=loser_to_move)
            children = [build(free ^ move, not loser_to_move, depth - 1) for move in moves]
            if not loser_to_move:
                return next(
                    (varint(FIRST_MOVE + i) + child for i, child in enumerate(children) if child is not None), None
                )
            if any(child is None for child in children):
                return None
            return bytes([ALL]) + b"".join(child for child in children if child is not None)

        proof = build(frame.free, starter != winner, 4)
        if proof is None:
            raise ValueError("the parts do not answer every move of the loser")
        return self.claim_bytes(root, starter, winner) + proof
