(** Sums of numbers are worth their total. *)

From Coq Require Import NArith ZArith Arith List Bool Lia Permutation.
From Zermelo Require Import Sums Parts.
Import ListNotations.
Open Scope Z_scope.

Notation ge0 a := (Sums.ge0 part (options a)).
Notation gt0 a := (Sums.gt0 part (options a)).

Definition total (zs : list Z) : Z := fold_right Z.add 0 zs.

Definition divides_all (d : Z) (zs : list Z) : Prop := forall z, In z zs -> z mod d = 0.

Lemma total_divided d zs : 0 < d -> divides_all d zs -> total zs mod d = 0.
Proof.
  intros D. induction zs as [|z zs IH]; simpl; intros H; [apply Z.mod_0_l; lia|].
  rewrite Z.add_mod, (H z (or_introl eq_refl)), IH by (lia || (intros w I; apply H; now right)).
  apply Z.mod_0_l. lia.
Qed.

Lemma divided_or d zs : divides_all d zs \/ exists z, In z zs /\ z mod d <> 0.
Proof.
  induction zs as [|z zs IH]; [left; intros z []|].
  destruct (Z.eq_dec (z mod d) 0) as [E|E]; [|right; exists z; split; auto; now left].
  destruct IH as [H | [w [I W]]]; [left; intros w [<-|I]; auto | right; exists w; split; auto; now right].
Qed.

Lemma at_least d t : 0 < d -> 0 < t -> t mod d = 0 -> d <= t.
Proof. intros D T M. apply Z.mod_divide in M; [|lia]. destruct M as [q ->].
  destruct (Z.le_gt_cases q 0) as [Q|Q]; [assert (q * d <= 0) by (apply Z.mul_nonpos_nonneg; lia); lia|].
  rewrite <- (Z.mul_1_l d) at 1. apply Z.mul_le_mono_nonneg_r; lia.
Qed.

(** Where the total is positive Left has a move that costs no more than it. *)
Lemma cheap_move zs : 0 < total zs -> exists z w, In z zs /\ In w (number_options Left z) /\ z - w <= total zs.
Proof.
  intros T.
  assert (one : forall d, (forall z, z mod d = 0 -> z mod (2 * d) <> 0 -> z mod 64 <> 0 /\ step z = d) -> 0 < d ->
            divides_all d zs -> (exists z, In z zs /\ z mod (2 * d) <> 0) ->
            exists z w, In z zs /\ In w (number_options Left z) /\ z - w <= total zs).
  { intros d S D H [z [I Z]]. destruct (S z (H z I) Z) as [S1 S2]. exists z, (z - step z). split; auto. split.
    - unfold number_options. apply Z.eqb_neq in S1. rewrite S1. simpl. auto.
    - rewrite S2. assert (d <= total zs) by (apply at_least; auto; now apply total_divided). lia. }
  destruct (divided_or 64 zs) as [H64|N64].
  - assert (P : exists z, In z zs /\ 0 < z).
    { clear one H64. induction zs as [|z zs IH]; simpl in T; [lia|]. destruct (Z.lt_ge_cases 0 z) as [L|L].
      - exists z. split; auto. now left.
      - destruct IH as [w [I W]]; [lia|]. exists w. split; auto. now right. }
    destruct P as [z [I P]]. exists z, (z - 64). split; auto. split.
    + unfold number_options. replace (z <=? 0) with false by lia. rewrite andb_false_r.
      unfold step. rewrite (proj2 (Z.eqb_eq _ _) (H64 z I)). now left.
    + assert (64 <= total zs) by (apply at_least; auto; [lia | now apply total_divided]). lia.
  - destruct (divided_or 32 zs) as [H|N32]; [apply (one 32); auto; try lia|].
    { unfold step. intros z A B. destruct (Z.eqb_spec (z mod 64) 0); [easy|]. split; auto. now rewrite A. }
    destruct (divided_or 16 zs) as [H|N16]; [apply (one 16); auto; try lia|].
    { unfold step. intros z A B. change (2 * 16) with 32 in B. destruct (Z.eqb_spec (z mod 64) 0); [Z.to_euclidean_division_equations; lia|].
      split; auto. destruct (Z.eqb_spec (z mod 32) 0); [easy|]. now rewrite A. }
    destruct (divided_or 8 zs) as [H|N8]; [apply (one 8); auto; try lia|].
    { unfold step. intros z A B. change (2 * 8) with 16 in B. destruct (Z.eqb_spec (z mod 64) 0); [Z.to_euclidean_division_equations; lia|].
      split; auto. destruct (Z.eqb_spec (z mod 32) 0); [Z.to_euclidean_division_equations; lia|].
      destruct (Z.eqb_spec (z mod 16) 0); [easy|]. now rewrite A. }
    destruct (divided_or 4 zs) as [H|N4]; [apply (one 4); auto; try lia|].
    { unfold step. intros z A B. change (2 * 4) with 8 in B. destruct (Z.eqb_spec (z mod 64) 0); [Z.to_euclidean_division_equations; lia|].
      split; auto. destruct (Z.eqb_spec (z mod 32) 0); [Z.to_euclidean_division_equations; lia|].
      destruct (Z.eqb_spec (z mod 16) 0); [Z.to_euclidean_division_equations; lia|].
      destruct (Z.eqb_spec (z mod 8) 0); [easy|]. now rewrite A. }
    destruct (divided_or 2 zs) as [H|N2]; [apply (one 2); auto; try lia|].
    { unfold step. intros z A B. change (2 * 2) with 4 in B. destruct (Z.eqb_spec (z mod 64) 0); [Z.to_euclidean_division_equations; lia|].
      split; auto. destruct (Z.eqb_spec (z mod 32) 0); [Z.to_euclidean_division_equations; lia|].
      destruct (Z.eqb_spec (z mod 16) 0); [Z.to_euclidean_division_equations; lia|].
      destruct (Z.eqb_spec (z mod 8) 0); [Z.to_euclidean_division_equations; lia|].
      destruct (Z.eqb_spec (z mod 4) 0); [easy|]. now rewrite A. }
    apply (one 1); auto; try lia; [|intros z _; apply Z.mod_1_r].
    unfold step. intros z A B. change (2 * 1) with 2 in B. destruct (Z.eqb_spec (z mod 64) 0); [Z.to_euclidean_division_equations; lia|].
    split; auto. destruct (Z.eqb_spec (z mod 32) 0); [Z.to_euclidean_division_equations; lia|].
    destruct (Z.eqb_spec (z mod 16) 0); [Z.to_euclidean_division_equations; lia|].
    destruct (Z.eqb_spec (z mod 8) 0); [Z.to_euclidean_division_equations; lia|].
    destruct (Z.eqb_spec (z mod 4) 0); [Z.to_euclidean_division_equations; lia|].
    destruct (Z.eqb_spec (z mod 2) 0); easy.
Qed.

Lemma right_costs z w : In w (number_options Right z) -> z < w.
Proof.
  unfold number_options. destruct (_ && _); [easy|]. intros [<-|[]].
  unfold step. repeat destruct (_ =? 0); lia.
Qed.

Lemma total_moved a s zs y : Sums.moved part (options a) s (map Num zs) y ->
  exists us z w vs, zs = us ++ z :: vs /\ y = map Num (us ++ w :: vs) /\ In w (number_options s z).
Proof.
  revert y. induction zs as [|z zs IH]; simpl; intros y M; inversion M as [? b ? I | ? ? u M']; subst.
  - apply in_map_iff in I. destruct I as [w [<- I]]. exists [], z, w, zs. auto.
  - destruct (IH _ M') as [us [z' [w [vs [-> [-> I]]]]]]. now exists (z :: us), z', w, vs.
Qed.

Lemma total_app us vs : total (us ++ vs) = total us + total vs.
Proof. induction us; simpl; lia. Qed.

Lemma moved_at a s us x vs y : In y (options a s x) -> Sums.moved part (options a) s (us ++ x :: vs) (us ++ y :: vs).
Proof. intros I. apply Sums.moved_app_right. now constructor. Qed.

(** Sums of numbers are worth their total. *)
Theorem numbers a : forall zs, (0 <= total zs -> ge0 a (map Num zs)) /\ (0 < total zs -> gt0 a (map Num zs)).
Proof.
  intros zs. remember (Sums.weight part (part_rank a) (map Num zs)) as n eqn:E. revert zs E.
  induction n as [n IH] using lt_wf_ind. intros zs ->. split; intros T.
  - constructor. intros y M. assert (W := Sums.moved_smaller _ _ _ (part_options_smaller a) _ _ _ M).
    apply total_moved in M. destruct M as [us [z [w [vs [-> [-> I]]]]]].
    apply (proj2 (IH _ W _ eq_refl)). rewrite total_app in *. simpl in *. apply right_costs in I. lia.
  - destruct (cheap_move zs T) as [z [w [I [O C]]]]. apply in_split in I. destruct I as [us [vs ->]].
    assert (M : Sums.moved part (options a) Left (map Num (us ++ z :: vs)) (map Num (us ++ w :: vs))).
    { rewrite !map_app. simpl. apply moved_at. simpl. now apply in_map. }
    assert (W := Sums.moved_smaller _ _ _ (part_options_smaller a) _ _ _ M).
    apply Sums.some_move with (1 := M). apply (proj1 (IH _ W _ eq_refl)). rewrite total_app in *. simpl in *. lia.
Qed.
