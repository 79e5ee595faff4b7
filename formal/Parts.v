(** Parts of a sum in FORMAT.md 5: regions of a Domineering board, numbers on the grid of 1/64, and switches {t|-t}. *)

From Coq Require Import NArith ZArith Arith List Bool Lia Permutation.
From Zermelo Require Import Rules Sets Domineering Sums.
Import ListNotations.
Open Scope Z_scope.

(** [Region turned f]: the free squares f; turned, the players have changed places. [Num z] is z/64. *)
Inductive part := Region (turned : bool) (f : N) | Num (z : Z) | Switch (t : Z).

(** How far the options of z/64 are away: 64 for an integer, else the largest power of two that divides z. *)
Definition step (z : Z) : Z :=
  if z mod 64 =? 0 then 64 else if z mod 32 =? 0 then 32 else if z mod 16 =? 0 then 16 else
  if z mod 8 =? 0 then 8 else if z mod 4 =? 0 then 4 else if z mod 2 =? 0 then 2 else 1.

(** The option of a number nearest to it: an integer has one on the side of zero only. *)
Definition number_options (s : side) (z : Z) : list Z :=
  match s with
  | Left => if (z mod 64 =? 0) && (z <=? 0) then [] else [z - step z]
  | Right => if (z mod 64 =? 0) && (0 <=? z) then [] else [z + step z]
  end.

Definition level (z : Z) : Z :=
  if z mod 64 =? 0 then 0 else if z mod 32 =? 0 then 1 else if z mod 16 =? 0 then 2 else
  if z mod 8 =? 0 then 3 else if z mod 4 =? 0 then 4 else if z mod 2 =? 0 then 5 else 6.

Definition number_rank (z : Z) : nat := Z.to_nat ((Z.abs z + 63) / 64 + level z).

Section Parts.
  Variable a : area.

  Definition owner (s : side) (turned : bool) : player :=
    match s, turned with Left, false | Right, true => One | _, _ => Two end.

  Definition options (s : side) (x : part) : list part :=
    match x with
    | Region turned f => map (fun d => Region turned (N.ldiff f d)) (dominoes a (owner s turned) f)
    | Num z => map Num (number_options s z)
    | Switch t => [Num (match s with Left => t | Right => - t end)]
    end.

  Definition negative (x : part) : part :=
    match x with Region turned f => Region (negb turned) f | Num z => Num (- z) | Switch t => Switch t end.

  Definition part_rank (x : part) : nat :=
    match x with
    | Region _ f => size a (State One f)
    | Num z => number_rank z
    | Switch t => S (number_rank t)
    end.

  Lemma divides_opposite z n : ((- z) mod n =? 0) = (z mod n =? 0).
  Proof.
    apply eq_true_iff_eq. rewrite !Z.eqb_eq. split; intros H; apply Z_mod_zero_opp_full in H; now rewrite ?Z.opp_involutive in H.
  Qed.

  Lemma step_opposite z : step (- z) = step z.
  Proof. unfold step. now rewrite !divides_opposite. Qed.

  Lemma level_opposite z : level (- z) = level z.
  Proof. unfold level. now rewrite !divides_opposite. Qed.

  Lemma number_options_opposite s z : number_options s (- z) = map Z.opp (number_options (opposite s) z).
  Proof.
    unfold number_options. destruct s; simpl; rewrite step_opposite, divides_opposite.
    - replace (- z <=? 0) with (0 <=? z) by lia. destruct (_ && _); simpl; auto. f_equal. lia.
    - replace (0 <=? - z) with (z <=? 0) by lia. destruct (_ && _); simpl; auto. f_equal. lia.
  Qed.

  Lemma part_negative_options s x : options s (negative x) = map negative (options (opposite s) x).
  Proof.
    destruct x as [turned f|z|t]; simpl.
    - rewrite map_map. destruct s, turned; reflexivity.
    - now rewrite number_options_opposite, !map_map.
    - destruct s; simpl; repeat f_equal; lia.
  Qed.

  Lemma part_negative_twice x : negative (negative x) = x.
  Proof. destruct x; simpl; f_equal; [apply negb_involutive | lia]. Qed.

  Lemma number_rank_opposite z : number_rank (- z) = number_rank z.
  Proof. unfold number_rank. now rewrite level_opposite, Z.abs_opp. Qed.

  Ltac by_cases :=
    repeat match goal with |- context [if ?c then _ else _] => destruct c eqn:? end; rewrite ?Z.eqb_eq, ?Z.eqb_neq in *.

  Lemma level_bound z : 0 <= level z <= 6 /\ (z mod 64 = 0 -> level z <= 0) /\ (z mod 32 = 0 -> level z <= 1) /\
    (z mod 16 = 0 -> level z <= 2) /\ (z mod 8 = 0 -> level z <= 3) /\ (z mod 4 = 0 -> level z <= 4) /\
    (z mod 2 = 0 -> level z <= 5).
  Proof. unfold level. by_cases; lia. Qed.

  (** A step from an odd multiple of it leads to an even one, which is no further from zero in units of 64. *)
  Lemma odd_step z c : In c [1; 2; 4; 8; 16; 32] -> z mod c = 0 -> z mod (2 * c) <> 0 ->
    (z - c) mod (2 * c) = 0 /\ (Z.abs (z - c) + 63) / 64 <= (Z.abs z + 63) / 64.
  Proof. simpl. intuition (subst c; simpl in *; Z.to_euclidean_division_equations; lia). Qed.

  Lemma left_smaller z w : In w (number_options Left z) -> (number_rank w < number_rank z)%nat.
  Proof.
    unfold number_options. destruct ((z mod 64 =? 0) && (z <=? 0)) eqn:E; [easy|]. intros [<-|[]].
    apply andb_false_iff in E. unfold number_rank.
    assert (P : forall x, 0 <= (Z.abs x + 63) / 64 + level x)
      by (intros x; assert (0 <= (Z.abs x + 63) / 64) by (apply Z.div_pos; lia); destruct (level_bound x); lia).
    apply Z2Nat.inj_lt; auto. unfold level at 2. generalize (level_bound (z - step z)). unfold step.
    destruct (z mod 64 =? 0) eqn:E0.
    - intros [_ [B _]]. destruct E as [E|E]; [easy|]. rewrite Z.eqb_eq, Z.leb_gt in *.
      assert ((z - 64) mod 64 = 0 /\ (Z.abs (z - 64) + 63) / 64 < (Z.abs z + 63) / 64); [|lia].
      Z.to_euclidean_division_equations. lia.
    - by_cases; intros [_ B];
        match goal with |- context [z - ?c] =>
          destruct (odd_step z c) as [M D]; [clear; simpl; tauto | auto using Z.mod_1_r | assumption |];
          let d := eval compute in (2 * c) in change (2 * c) with d in M
        end; apply B in M; clear - M D; lia.
  Qed.

  Lemma number_smaller s z w : In w (number_options s z) -> (number_rank w < number_rank z)%nat.
  Proof.
    destruct s; [apply left_smaller|]. intros I.
    replace w with (- (- w)) by lia. rewrite (number_rank_opposite (- w)), <- (number_rank_opposite z). apply left_smaller.
    rewrite (number_options_opposite Left z). simpl. now apply in_map.
  Qed.

  Lemma part_options_smaller s x y : In y (options s x) -> (part_rank y < part_rank x)%nat.
  Proof.
    destruct x as [turned f|z|t]; simpl.
    - intros I. apply in_map_iff in I. destruct I as [d [<- I]]. simpl. apply dominoes_spec in I.
      destruct I as [I [c [-> [_ L]]]]. unfold size. cbn [free].
      assert (H : has (domino a (owner s turned) c) c) by (unfold domino; rewrite !has_set; auto).
      apply filter_fewer with c; [| now apply in_up_to | exact (I c H) |].
      + intros e E. change (has f e). change (has (N.ldiff f (domino a (owner s turned) c)) e) in E.
        apply has_ldiff in E. tauto.
      + destruct (N.testbit _ c) eqn:E; auto. apply has_ldiff in E. tauto.
    - intros I. apply in_map_iff in I. destruct I as [w [<- I]]. now apply number_smaller in I.
    - intros [<-|[]]. simpl. destruct s; rewrite ?number_rank_opposite; lia.
  Qed.
End Parts.
