"""What every game's services must keep: solve is true, certificates are verified, walks answer, play never loses."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import tiny
from cases import GAMES, PROOFS, PROVED, brute, opened

from zermelo._core import CancelToken
from zermelo.game import DRAW, Answer, Game, Limits, Player, Position, find_game, game_names
from zermelo.game.marking import mark_moves
from zermelo.game.plain import PlainChooser
from zermelo.proof.container import Bytes, payload_of, read_claim, read_payload

LIMITS = Limits(memory=1 << 28)


@GAMES
def test_solve_is_brute_force(name: str, spec: str) -> None:
    game, start = opened(name, spec)
    result = game.solve(spec, limits=LIMITS)
    assert (result.known and result.outcome in game.outcomes) or len(result.starts) == 1
    assert set(result.starts) == set(game.starters(start, None))
    for player, answer in result.starts.items():
        plain = PlainChooser(game, LIMITS).answer(start, player, LIMITS)
        assert answer.winner == plain.winner == brute(start, player)
        for one in (answer, plain):
            if one.move is not None:
                assert one.move in start.moves(player)
                after = start.turn_of(player).after(one.move)
                assert brute(after, after.player_after(player)) == answer.winner
        if answer.by != "over" and answer.mark != "loss":
            assert plain.move is not None
        assert game.to_json(result)["starts"][player]["winner"] == answer.winner


@GAMES
def test_outcomes_are_never_guessed(name: str, spec: str) -> None:
    """With one answer missing, the outcome is unknown, not told, or what it is with all answers."""
    game, start = opened(name, spec)
    result = game.solve(start, limits=LIMITS)
    for missing in result.starts:
        starts = {**result.starts, missing: Answer(missing, None, "limit")}
        assert game.outcome(starts) in (None, "unknown", result.outcome)


@GAMES
def test_every_move_is_marked_truly(name: str, spec: str) -> None:
    game, start = opened(name, spec)
    for player in game.starters(start, None):
        position = start.turn_of(player)
        marks = {}
        for judged in mark_moves(position, player, game.chooser(LIMITS), LIMITS):
            marks |= dict.fromkeys(map(str, judged.moves), judged.mark)
        assert marks.keys() == {str(move) for move in position.moves(player)}
        for move, mark in marks.items():
            after = position.after(move)
            winner = brute(after, after.player_after(player))
            assert mark == ("draw" if winner == DRAW else "win" if winner == player else "loss")


@pytest.mark.parametrize("name", game_names())
def test_limits_give_unknown_and_never_a_guess(name: str) -> None:
    game = find_game(name)
    start = game.parse(game.examples[0])
    player = game.starters(start, None)[0]
    plain = PlainChooser(game, LIMITS).answer(start, player, Limits(nodes=1))
    assert (plain.winner, plain.by, plain.nodes) == (None, "limit", 1)
    assert (plain.why, plain.limit, plain.remark) == ("unknown within 1 node", "nodes", "")
    own = game.chooser(LIMITS).answer(start, player, Limits(nodes=1, seconds=5000))
    assert own.winner is not None or own.why.startswith("unknown within 5000 s and 1 node")
    assert own.limit == (None if own.winner else "nodes") and own.why.endswith(own.remark)
    token = CancelToken()
    token.cancel()
    stopped = PlainChooser(game, LIMITS).answer(start, player, LIMITS.with_(cancel=token))
    assert (stopped.winner, stopped.limit) == (None, "stopped")
    assert PlainChooser(game, LIMITS).answer(start, player, LIMITS.with_(seconds=1e-9)).limit == "time"
    with pytest.raises(ValueError, match="no effect"):
        PlainChooser(game, Limits(threads=2))
    with pytest.raises(ValueError):
        game.explain(start, "no such kind")
    for bad in ("::::", " / / ", ":V1,1"):
        with pytest.raises(ValueError) as told:
            game.parse(bad)
        assert len(str(told.value).splitlines()) == 1


def written(name: str, spec: str, player: Player, file: Path) -> tuple[Game, Position, bytes]:
    game, start = opened(name, spec)
    made = game.prove(start, player, file, limits=LIMITS)
    assert made.path == file and made.size == file.stat().st_size
    return game, start, read_payload(file)


def starters(name: str, spec: str) -> tuple[Player, ...]:
    game, start = opened(name, spec)
    return game.starters(start, None)


@PROOFS
def test_certificates_are_verified_and_claim_the_answer(name: str, spec: str, tmp_path: Path) -> None:
    for player in starters(name, spec):
        game, start, payload = written(name, spec, player, tmp_path / "proof.zc")
        assert tiny.FAST.check(tmp_path / "proof.zc").verified
        verdict, said = tiny.zcheck.check(str(tmp_path / "proof.zc"))
        assert verdict == tiny.zformat.VERIFIED
        claim = read_claim(Bytes(payload))
        assert (claim.game, claim.starter, claim.winner) == (name, said["starter"], said["winner"])
        assert payload.startswith(game.claim_bytes(start, player, claim.winner))
        answer = game.solve(start, first=player, limits=LIMITS).starts[player]
        assert claim.winner in (answer.winner, answer.details.get("maker_breaker"))
        assert game.claim_words(claim).endswith(".")
        assert sum(game.proof_counts(payload).values()) > 0


@pytest.mark.parametrize(
    ("name", "spec", "winner"),
    [("mnk", "1,1,2:a1", DRAW), ("mnk", "3,1,2:a1,b1,c1", DRAW),
     ("hypergraph", "strong: a b : maker a, breaker b", DRAW),
     ("hypergraph", "a b : maker a, breaker b", "breaker"), ("hypergraph", "a : maker a", "maker"),
     ("domineering", "2x2:V1,1;V1,2", None), ("mnk", "3,3,3:a1,a2,b1,b2,c1", "X has a line"),
     ("mnk", "3,3,3:a1,a2,b1,b2,c3,c2", "O has a line"),
     ("hypergraph", "strong: a / b : maker a", "maker has a hyper")],
)  # fmt: skip
def test_finished_games_have_a_certificate_of_their_result_or_none(
    name: str, spec: str, winner: str | None, tmp_path: Path
) -> None:
    game, start = opened(name, spec)
    for player in game.starters(start, None):
        if winner is not None and " " in winner:
            with pytest.raises(ValueError, match=f"the game is over: {winner}"):
                game.prove(start, player, tmp_path / "proof.zc", limits=LIMITS)
            continue
        made = game.prove(start, player, tmp_path / "proof.zc", limits=LIMITS)
        assert made.winner == start.decided(player) == (winner or game.other(player))
        assert tiny.FAST.check(tmp_path / "proof.zc").said["winner"] == made.winner
        assert tiny.zcheck.check(str(tmp_path / "proof.zc"))[0] == tiny.zformat.VERIFIED


@PROOFS
def test_replay_answers_every_move_down_to_the_leaves(name: str, spec: str, tmp_path: Path) -> None:
    for player in starters(name, spec):
        game, _, payload = written(name, spec, player, tmp_path / "proof.zc")
        claim, replay = read_claim(Bytes(payload)), game.replay(payload)
        hero = getattr(replay, "walker", claim.winner)
        rng, todo, leaves = random.Random(3), [()], 0
        while todo and leaves < 300:
            moves = todo.pop()
            step = replay.step(moves)
            position = step.position.turn_of(step.to_move)
            assert step.text
            if not set(step.moves) - {"-"} or step.leaf:
                leaves += 1
            if step.leaf or rng.random() < 0.2:
                found = brute(position, step.to_move)  # the strategy of a draw may win, and never loses
                assert found == claim.winner or (claim.winner == DRAW and found in (hero, DRAW)), (moves, step)
            if step.to_move == hero and not step.leaf:
                assert len(step.moves) == 1
            elif not step.leaf:
                assert set(step.moves) == {str(move) for move in position.moves(step.to_move)}
                with pytest.raises(ValueError):
                    replay.step([*moves, "nonsense"])
            todo += [(*moves, move) for move in rng.sample(step.moves, len(step.moves))]
        assert leaves


@pytest.mark.parametrize("name", sorted({name for name, _ in PROVED}))
def test_damaged_proofs_are_refused_or_walked_but_never_crash(name: str, tmp_path: Path) -> None:
    rng = random.Random(4)
    for own, spec in PROVED:
        if own != name:
            continue
        game, _, payload = written(name, spec, starters(name, spec)[0], tmp_path / "proof.zc")
        for _ in range(60):
            broken = payload[:1] + tiny.mutated(payload[1:], rng)  # of the same game
            try:
                replay, moves = game.replay(broken, limits=Limits(seconds=5)), []
                for _ in range(20):
                    step = replay.step(moves)
                    if not step.moves:
                        break
                    moves.append(rng.choice(step.moves))
            except ValueError as error:
                assert len(str(error).splitlines()) == 1


@GAMES
def test_play_never_loses_what_it_can_hold(name: str, spec: str) -> None:
    game, start = opened(name, spec)
    for machine in game.players:
        for seed in range(4):
            rng, position = random.Random(seed), start
            player = start.to_move or game.players[seed % 2]
            promised, mine = brute(start, player), game.machine(start, machine, LIMITS, game.chooser(LIMITS))
            while (over := position.turn_of(player).decided(player)) is None:
                turn = position.turn_of(player)
                if player == machine:
                    move = mine.reply(turn).move
                    assert move is not None
                else:
                    move = rng.choice(turn.moves(player))
                position = turn.after(move)
                player = position.player_after(player)
            if promised == machine:
                assert over == machine
            if promised == DRAW:
                assert over in (machine, DRAW)


def test_certificates_of_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="does not know"):
        read_claim(Bytes(b"\x63\x00"))
    with pytest.raises(ValueError, match="not a certificate"):
        payload_of(b"ZCERT")
