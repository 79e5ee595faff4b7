(** Small games, computed by brute force inside the prover. *)

From Coq Require Import NArith Arith List.
From Zermelo Require Import Rules Sets Positional Domineering.
Open Scope N_scope.

(** Computes who wins from a position, by [value_correct]. *)
Ltac by_brute_force finite fuel :=
  match goal with
  | |- @has_result ?g ?x ?r =>
      replace r with (@value g fuel x) by (vm_compute; reflexivity);
      eapply value_correct; [apply finite | apply Nat.leb_le; vm_compute; reflexivity]
  end.

Theorem tic_tac_toe : @drawn (strong (mnk 3 3 3)) empty.
Proof. change (@has_result (strong (mnk 3 3 3)) empty Draw). by_brute_force strong_finite 9%nat. Qed.

(** If O only blocks, X gets three in a row. *)
Theorem tic_tac_toe_maker : @wins (maker_breaker (mnk 3 3 3)) One empty.
Proof.
  change (@has_result (maker_breaker (mnk 3 3 3)) empty (Won One)). by_brute_force maker_breaker_finite 9%nat.
Qed.

Definition square (n : N) (starter : player) : position (domineering (Area n n)) := empty_board (Area n n) starter.

(** On 2x2, 3x3 and 4x4 the starter wins; on 1x1 the other player. *)
Theorem domineering_1x1 : wins Two (square 1 One) /\ wins One (square 1 Two).
Proof.
  split; [change (has_result (square 1 One) (Won Two)) | change (has_result (square 1 Two) (Won One))];
    by_brute_force domineering_finite 1%nat.
Qed.

Theorem domineering_2x2 : wins One (square 2 One) /\ wins Two (square 2 Two).
Proof.
  split; [change (has_result (square 2 One) (Won One)) | change (has_result (square 2 Two) (Won Two))];
    by_brute_force domineering_finite 4%nat.
Qed.

Theorem domineering_3x3 : wins One (square 3 One) /\ wins Two (square 3 Two).
Proof.
  split; [change (has_result (square 3 One) (Won One)) | change (has_result (square 3 Two) (Won Two))];
    by_brute_force domineering_finite 9%nat.
Qed.

Theorem domineering_4x4 : wins One (square 4 One) /\ wins Two (square 4 Two).
Proof.
  split; [change (has_result (square 4 One) (Won One)) | change (has_result (square 4 Two) (Won Two))];
    by_brute_force domineering_finite 16%nat.
Qed.
