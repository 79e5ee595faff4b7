(** Floors of a sum (FORMAT.md 5.2): the largest n with X >= n, the largest n with X |> n, and the same from above. *)

From Coq Require Import NArith ZArith Arith List Bool Lia Permutation.
From Zermelo Require Import Sums Parts Numbers.
Import ListNotations.
Open Scope Z_scope.

Section Floors.
  Variable a : Domineering.area.

  Notation sum := (list part).
  Notation ge0 := (Numbers.ge0 a).
  Notation gt0 := (Numbers.gt0 a).
  Notation moved := (Sums.moved part (options a)).
  Notation minus := (Sums.minus part negative).

  Let negates := part_negative_options a.
  Let twice := part_negative_twice.
  Let smaller := part_options_smaller a.

  Definition geq (x : sum) (z : Z) : Prop := ge0 (x ++ [Num (- z)]).     (* x >= z *)
  Definition wins_over (x : sum) (z : Z) : Prop := gt0 (x ++ [Num (- z)]).   (* x |> z *)

  Lemma cancel_number_ge0 x z : ge0 (Num z :: Num (- z) :: x) -> ge0 x.
  Proof. apply (cancel_ge0 part (options a) negative (part_rank a) negates twice smaller [Num z] x). Qed.

  Lemma cancel_number_gt0 x z : gt0 (Num z :: Num (- z) :: x) -> gt0 x.
  Proof. apply (cancel_gt0 part (options a) negative (part_rank a) negates twice smaller [Num z] x). Qed.

  Lemma permute_ge0 x y : Permutation x y -> ge0 x -> ge0 y.
  Proof. apply (ge0_permuted part (options a) (part_rank a) smaller). Qed.

  Lemma permute_gt0 x y : Permutation x y -> gt0 x -> gt0 y.
  Proof. apply (gt0_permuted part (options a) (part_rank a) smaller). Qed.

  Lemma add_ge0 x y : ge0 x -> ge0 y -> ge0 (x ++ y).
  Proof. apply (ge0_ge0 part (options a) (part_rank a) smaller). Qed.

  Lemma add_gt0 x y : gt0 x -> ge0 y -> gt0 (x ++ y).
  Proof. apply (gt0_ge0 part (options a) (part_rank a) smaller). Qed.

  Lemma numbers_ge0 zs : 0 <= total zs -> ge0 (map Num zs).
  Proof. apply (numbers a zs). Qed.

  Lemma numbers_gt0 zs : 0 < total zs -> gt0 (map Num zs).
  Proof. apply (numbers a zs). Qed.

  Lemma minus_numbers zs : minus (map Num zs) = map Num (map Z.opp zs).
  Proof. unfold Sums.minus. now rewrite !map_map. Qed.

  Lemma total_opposite zs : total (map Z.opp zs) = - total zs.
  Proof. induction zs; simpl; lia. Qed.

  Lemma ge0_numbers zs : ge0 (map Num zs) -> 0 <= total zs.
  Proof.
    intros G. destruct (Z.le_gt_cases 0 (total zs)); auto. exfalso.
    apply (ge0_not part (options a) negative (part_rank a) negates twice smaller _ G).
    rewrite minus_numbers. apply numbers_gt0. rewrite total_opposite. lia.
  Qed.

  Lemma gt0_numbers zs : gt0 (map Num zs) -> 0 < total zs.
  Proof.
    intros G. destruct (Z.lt_ge_cases 0 (total zs)); auto. exfalso.
    apply (ge0_not part (options a) negative (part_rank a) negates twice smaller (minus (map Num zs))).
    - rewrite minus_numbers. apply numbers_ge0. rewrite total_opposite. lia.
    - now rewrite (minus_twice part negative twice).
  Qed.

  Lemma geq_less x v z : geq x v -> z <= v -> geq x z.
  Proof.
    intros G L. unfold geq in *. apply cancel_number_ge0 with v.
    apply permute_ge0 with ((x ++ [Num (- v)]) ++ map Num [v; - z]).
    - simpl. rewrite <- app_assoc. simpl.
      transitivity (Num (- v) :: Num v :: x ++ [Num (- z)]); [|apply perm_swap].
      transitivity (Num (- v) :: x ++ [Num v; Num (- z)]); [symmetry; apply Permutation_middle|].
      apply perm_skip. symmetry. apply Permutation_middle.
    - apply add_ge0; auto. apply numbers_ge0. simpl. lia.
  Qed.

  Lemma wins_less x v z : wins_over x v -> z <= v -> wins_over x z.
  Proof.
    intros G L. unfold wins_over in *. apply cancel_number_gt0 with v.
    apply permute_gt0 with ((x ++ [Num (- v)]) ++ map Num [v; - z]).
    - simpl. rewrite <- app_assoc. simpl.
      transitivity (Num (- v) :: Num v :: x ++ [Num (- z)]); [|apply perm_swap].
      transitivity (Num (- v) :: x ++ [Num v; Num (- z)]); [symmetry; apply Permutation_middle|].
      apply perm_skip. symmetry. apply Permutation_middle.
    - apply add_gt0; auto. apply numbers_ge0. simpl. lia.
  Qed.

  (** x >= z is the same as: Left wins no minus x - (- z); so a bound from above is one of minus x from below. *)
  Lemma not_below x z : ~ geq (minus x) (- z) -> wins_over x z.
  Proof.
    intros N. destruct (gt0_or part (options a) negative (part_rank a) negates twice smaller (x ++ [Num (- z)])) as [G|G]; auto.
    exfalso. apply N. unfold geq. rewrite (minus_app part negative) in G. simpl in G. now rewrite Z.opp_involutive in *.
  Qed.

  Lemma above_below x z w : wins_over x z -> geq (minus x) (- w) -> z < w.
  Proof.
    intros G H. unfold wins_over, geq in *. rewrite Z.opp_involutive in H.
    assert (S : gt0 (map Num [w; - z])).
    { apply (cancel_gt0 part (options a) negative (part_rank a) negates twice smaller x).
      apply permute_gt0 with ((x ++ [Num (- z)]) ++ (minus x ++ [Num w])); [|now apply add_gt0].
      simpl. rewrite <- !app_assoc. apply Permutation_app_head. simpl.
      transitivity (minus x ++ Num (- z) :: [Num w]); [apply Permutation_middle|].
      apply Permutation_app_head. apply perm_swap. }
    apply gt0_numbers in S. simpl in S. lia.
  Qed.

  Lemma reaches_below x z w : geq x z -> geq (minus x) (- w) -> z <= w.
  Proof.
    intros G H. unfold geq in *. rewrite Z.opp_involutive in H.
    assert (S : ge0 (map Num [w; - z])).
    { apply (cancel_ge0 part (options a) negative (part_rank a) negates twice smaller x).
      apply permute_ge0 with ((x ++ [Num (- z)]) ++ (minus x ++ [Num w])); [|now apply add_ge0].
      simpl. rewrite <- !app_assoc. apply Permutation_app_head. simpl.
      transitivity (minus x ++ Num (- z) :: [Num w]); [apply Permutation_middle|].
      apply Permutation_app_head. apply perm_swap. }
    apply ge0_numbers in S. simpl in S. lia.
  Qed.

  (** What x is worth from below: x >= z iff z <= n, and x |> z iff z <= m. *)
  Definition floors (x : sum) (n m : Z) : Prop := forall z, (geq x z <-> z <= n) /\ (wins_over x z <-> z <= m).

  (** Left's best move and Right's, where they have one. *)
  Definition best_left (x : sum) (l : Z) : Prop :=
    (exists y, moved Left x y /\ geq y l) /\ forall y z, moved Left x y -> geq y z -> z <= l.

  Definition best_right (x : sum) (r : Z) : Prop :=
    (exists y, moved Right x y /\ geq (minus y) (- r)) /\ forall y z, moved Right x y -> geq (minus y) (- z) -> r <= z.

  Lemma moved_with_number s x z y : moved s (x ++ [Num z]) y ->
    (exists x', moved s x x' /\ y = x' ++ [Num z]) \/ (exists w, In w (number_options s z) /\ y = x ++ [Num w]).
  Proof.
    intros M. destruct (moved_app part (options a) _ _ _ _ M) as [[x' [M' ->]] | [y' [M' ->]]]; [left; eauto | right].
    inversion M' as [? b ? I | ? ? ? M'']; subst; [|inversion M''].
    apply in_map_iff in I. destruct I as [w [<- I]]. eauto.
  Qed.

  Lemma option_after s x z w : In w (number_options s z) -> moved s (x ++ [Num z]) (x ++ [Num w]).
  Proof. intros I. apply (moved_app_right part (options a)). constructor. simpl. now apply in_map. Qed.

  Lemma left_gains x l z : best_left x l -> z <= l -> wins_over x z.
  Proof.
    intros [[y [M G]] _] L. apply some_move with (y ++ [Num (- z)]); [now apply (moved_app_left part (options a))|].
    now apply geq_less with l.
  Qed.

  (** Hot, or no number between: Left gets to l at once, and no option of a number helps anybody. *)
  Lemma hot_below x l r rm : best_left x l -> best_right x r -> r <= l ->
    (forall z, (forall y, moved Right x y -> wins_over y z) <-> z <= rm) -> floors x rm l.
  Proof.
    intros BL BR L H z. split; split.
    - intros G. apply H. intros y M. apply (ge0_answer part (options a)) with (1 := G).
      now apply (moved_app_left part (options a)).
    - intros Z. assert (A := proj2 (H z) Z). constructor. intros y M. apply moved_with_number in M.
      destruct M as [[x' [M ->]] | [w [I ->]]]; [now apply A|].
      apply right_costs in I. destruct BR as [[y [M G]] _].
      assert (z < r) by (apply (above_below y); auto).
      replace w with (- (- w)) by lia. apply (left_gains x l); auto. lia.
    - intros G. apply gt0_move in G. destruct G as [y [M G]]. apply moved_with_number in M.
      destruct M as [[x' [M ->]] | [w [I ->]]]; [now apply (proj2 BL x')|].
      destruct BR as [[y [M G']] _].
      assert (W : wins_over y (- w)).
      { apply (ge0_answer part (options a)) with (1 := G). rewrite Z.opp_involutive.
        now apply (moved_app_left part (options a)). }
      assert (- w < r) by (apply (above_below y); auto).
      assert (z < - w); [|lia].
      assert (In (- w) (number_options Right z)).
      { rewrite <- (Z.opp_involutive z), (number_options_opposite Right (- z)). now apply in_map. }
      now apply right_costs.
    - intros Z. now apply left_gains with l.
  Qed.

  (** A number strictly between the best options, whose own options are not: x is that number. *)
  Lemma equal_number x v :
    (forall y, moved Left x y -> ~ geq y v) -> (forall y, moved Right x y -> ~ geq (minus y) (- v)) ->
    (forall w, In w (number_options Left v) -> exists y, moved Left x y /\ geq y w) ->
    (forall w, In w (number_options Right v) -> exists y, moved Right x y /\ geq (minus y) (- w)) ->
    floors x v (v - 1).
  Proof.
    intros HL HR OL OR.
    assert (G : geq x v).
    { constructor. intros y M. apply moved_with_number in M. destruct M as [[x' [M ->]] | [w [I ->]]].
      - apply not_below. now apply HR.
      - assert (I' : In (- w) (number_options Left v)).
        { rewrite <- (Z.opp_involutive v), (number_options_opposite Left (- v)). now apply in_map. }
        destruct (OL _ I') as [y [M G]]. apply some_move with (y ++ [Num w]); [now apply (moved_app_left part (options a))|].
        unfold geq in G. now rewrite Z.opp_involutive in G. }
    assert (B : geq (minus x) (- v)).
    { unfold geq. rewrite Z.opp_involutive. constructor. intros y M. apply moved_with_number in M.
      destruct M as [[x' [M ->]] | [w [I ->]]].
      - apply (minus_moved part (options a) negative negates) in M. rewrite (minus_twice part negative twice) in M. simpl in M.
        destruct (gt0_or part (options a) negative (part_rank a) negates twice smaller (x' ++ [Num v])) as [K|K]; auto.
        exfalso. apply (HL _ M). rewrite (minus_app part negative) in K. exact K.
      - destruct (OR _ I) as [y [M G']]. apply some_move with (minus y ++ [Num w]).
        + apply (moved_app_left part (options a)). exact (minus_moved part (options a) negative negates _ _ _ M).
        + unfold geq in G'. now rewrite Z.opp_involutive in G'. }
    intros z. split; split.
    - intros K. now apply (reaches_below x).
    - intros K. now apply geq_less with v.
    - intros K. assert (z < v) by (apply (above_below x); auto). lia.
    - intros K. apply not_below. intros K'. assert (v <= z) by (apply (reaches_below x); auto). lia.
  Qed.

  (** Neighbours on the grid, and no number between. *)
  Lemma between_neighbours x l : best_left x l -> best_right x (l + 1) -> floors x l l.
  Proof.
    intros BL BR.
    assert (G : geq x l).
    { constructor. intros y M. apply moved_with_number in M. destruct M as [[x' [M ->]] | [w [I ->]]].
      - apply not_below. intros K. apply (proj2 BR) in K; auto. lia.
      - apply right_costs in I. replace w with (- (- w)) by lia. apply (left_gains x l); auto. lia. }
    assert (N : forall z, geq x z -> z <= l).
    { intros z K. destruct BR as [[y [M B]] _].
      assert (W : wins_over y z).
      { apply (ge0_answer part (options a)) with (1 := K). now apply (moved_app_left part (options a)). }
      assert (z < l + 1) by (apply (above_below y); auto). lia. }
    intros z. split; split; auto.
    - intros K. now apply geq_less with l.
    - intros K. apply gt0_move in K. destruct K as [y [M K]]. apply moved_with_number in M.
      destruct M as [[x' [M ->]] | [w [I ->]]]; [now apply (proj2 BL x')|].
      assert (In (- w) (number_options Right z)).
      { rewrite <- (Z.opp_involutive z), (number_options_opposite Right (- z)). now apply in_map. }
      assert (z < - w) by now apply right_costs.
      assert (- w <= l); [|lia]. apply N. unfold geq. now rewrite Z.opp_involutive.
    - intros K. now apply left_gains with l.
  Qed.
End Floors.
