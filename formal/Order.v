(** The order of sums (FORMAT.md 5.2 to 5.4). [above x y] says that x may replace y in every sum, [beyond x y] that it may do so
    with Left to move in x and Right to move in y. All that the checker computes are bounds of these two kinds, from below. *)

From Coq Require Import NArith ZArith Arith List Bool Lia Permutation.
From Zermelo Require Import Sums Parts Numbers.
Import ListNotations.
Open Scope Z_scope.

Lemma part_eq_dec (x y : part) : {x = y} + {x <> y}.
Proof. decide equality; try apply Z.eq_dec; try apply N.eq_dec; apply bool_dec. Qed.

Lemma count_cons (p q : part) x :
  count_occ part_eq_dec (p :: x) q = ((if part_eq_dec p q then 1 else 0) + count_occ part_eq_dec x q)%nat.
Proof. simpl. now destruct (part_eq_dec p q). Qed.

Lemma count_nil (q : part) : count_occ part_eq_dec [] q = 0%nat.
Proof. reflexivity. Qed.

(** Two lists with the same members. *)
Ltac permute := apply (Permutation_count_occ part_eq_dec); let q := fresh in
  intro q; repeat (rewrite count_occ_app || rewrite count_cons || rewrite count_nil); lia.

Section Order.
  Variable a : Domineering.area.

  Notation sum := (list part).
  Notation ge0 := (Numbers.ge0 a).
  Notation gt0 := (Numbers.gt0 a).
  Notation moved := (Sums.moved part (options a)).
  Notation minus := (Sums.minus part negative).

  Let negates := part_negative_options a.
  Let twice := part_negative_twice.
  Let smaller := part_options_smaller a.

  Lemma cancel_ge x y : ge0 (x ++ minus x ++ y) -> ge0 y.
  Proof. apply (cancel_ge0 part (options a) negative (part_rank a) negates twice smaller x y). Qed.

  Lemma cancel_gt x y : gt0 (x ++ minus x ++ y) -> gt0 y.
  Proof. apply (cancel_gt0 part (options a) negative (part_rank a) negates twice smaller x y). Qed.

  Lemma permute_ge0 x y : Permutation x y -> ge0 x -> ge0 y.
  Proof. apply (ge0_permuted part (options a) (part_rank a) smaller). Qed.

  Lemma permute_gt0 x y : Permutation x y -> gt0 x -> gt0 y.
  Proof. apply (gt0_permuted part (options a) (part_rank a) smaller). Qed.

  Lemma add_ge0 x y : ge0 x -> ge0 y -> ge0 (x ++ y).
  Proof. apply (ge0_ge0 part (options a) (part_rank a) smaller). Qed.

  Lemma add_gt0 x y : gt0 x -> ge0 y -> gt0 (x ++ y).
  Proof. apply (gt0_ge0 part (options a) (part_rank a) smaller). Qed.

  Lemma add_ge0_gt0 x y : ge0 x -> gt0 y -> gt0 (x ++ y).
  Proof. apply (ge0_gt0 part (options a) (part_rank a) smaller). Qed.

  Definition above (x y : sum) : Prop := forall z, (ge0 (y ++ z) -> ge0 (x ++ z)) /\ (gt0 (y ++ z) -> gt0 (x ++ z)).
  Definition beyond (x y : sum) : Prop := forall z, ge0 (y ++ z) -> gt0 (x ++ z).

  Lemma above_refl x : above x x.
  Proof. intros z. tauto. Qed.

  Lemma above_trans x y z : above x y -> above y z -> above x z.
  Proof. intros A B w. destruct (A w), (B w). auto. Qed.

  Lemma above_beyond x y z : above x y -> beyond y z -> beyond x z.
  Proof. intros A B w G. now apply A, B. Qed.

  Lemma beyond_above x y z : beyond x y -> above y z -> beyond x z.
  Proof. intros A B w G. now apply A, B. Qed.

  Lemma above_permuted x y : Permutation x y -> above x y.
  Proof.
    intros P z. split; [apply permute_ge0 | apply permute_gt0]; apply Permutation_app_tail; now apply Permutation_sym.
  Qed.

  Lemma above_app x y x' y' : above x y -> above x' y' -> above (x ++ x') (y ++ y').
  Proof.
    intros A B z. split; intros G.
    - apply permute_ge0 with (x' ++ (x ++ z)); [permute|]. apply B. apply permute_ge0 with (x ++ (y' ++ z)); [permute|].
      apply A. revert G. apply permute_ge0. permute.
    - apply permute_gt0 with (x' ++ (x ++ z)); [permute|]. apply B. apply permute_gt0 with (x ++ (y' ++ z)); [permute|].
      apply A. revert G. apply permute_gt0. permute.
  Qed.

  Lemma beyond_app x y x' y' : beyond x y -> above x' y' -> beyond (x ++ x') (y ++ y').
  Proof.
    intros A B z G. apply permute_gt0 with (x' ++ (x ++ z)); [permute|]. apply B.
    apply permute_gt0 with (x ++ (y' ++ z)); [permute|]. apply A. revert G. apply permute_ge0. permute.
  Qed.

  Lemma app_beyond x y x' y' : above x y -> beyond x' y' -> beyond (x ++ x') (y ++ y').
  Proof.
    intros A B. apply above_beyond with (x' ++ x); [apply above_permuted; permute|].
    apply beyond_above with (y' ++ y); [now apply beyond_app | apply above_permuted; permute].
  Qed.

  (** How to show both, and what they give. *)
  Lemma show_above x y : ge0 (x ++ minus y) -> above x y.
  Proof.
    intros G z. split; intros H.
    - apply (cancel_ge y). apply permute_ge0 with ((x ++ minus y) ++ (y ++ z)); [permute | now apply add_ge0].
    - apply (cancel_gt y). apply permute_gt0 with ((x ++ minus y) ++ (y ++ z)); [permute | now apply add_ge0_gt0].
  Qed.

  Lemma show_beyond x y : gt0 (x ++ minus y) -> beyond x y.
  Proof.
    intros G z H. apply (cancel_gt y). apply permute_gt0 with ((x ++ minus y) ++ (y ++ z)); [permute | now apply add_gt0].
  Qed.

  Lemma mirror x : ge0 (x ++ minus x).
  Proof. apply (mirror_ge0 part (options a) negative (part_rank a) negates smaller). Qed.

  Lemma use_beyond x y : beyond x y -> gt0 (x ++ minus y).
  Proof. intros B. apply B. apply mirror. Qed.

  Lemma above_ge0 x y : above x y -> ge0 y -> ge0 x.
  Proof. intros A G. rewrite <- (app_nil_r x). apply A. now rewrite app_nil_r. Qed.

  Lemma above_gt0 x y : above x y -> gt0 y -> gt0 x.
  Proof. intros A G. rewrite <- (app_nil_r x). apply A. now rewrite app_nil_r. Qed.

  Lemma beyond_gt0 x y : beyond x y -> ge0 y -> gt0 x.
  Proof. intros A G. rewrite <- (app_nil_r x). apply A. now rewrite app_nil_r. Qed.

  Lemma moved_first s x y z : moved s x y -> moved s (x ++ z) (y ++ z).
  Proof. apply (moved_app_left part (options a)). Qed.

  Lemma moved_second s x y z : moved s x y -> moved s (z ++ x) (z ++ y).
  Proof. apply (moved_app_right part (options a)). Qed.

  Lemma moved_either s x z w : moved s (x ++ z) w ->
    (exists y, moved s x y /\ w = y ++ z) \/ (exists y, moved s z y /\ w = x ++ y).
  Proof. apply (moved_app part (options a)). Qed.

  (** Left moves, and has then what she wants. *)
  Lemma option_beyond x y v : moved Left x y -> above y v -> beyond x v.
  Proof. intros M A z G. apply some_move with (y ++ z); [now apply moved_first | now apply A]. Qed.

  (** * Numbers *)

  Lemma minus_numbers zs : minus (map Num zs) = map Num (map Z.opp zs).
  Proof. unfold Sums.minus. now rewrite !map_map. Qed.

  Lemma total_opposite zs : total (map Z.opp zs) = - total zs.
  Proof. induction zs; simpl; lia. Qed.

  Lemma numbers_above xs ys : total ys <= total xs -> above (map Num xs) (map Num ys).
  Proof.
    intros T. apply show_above. rewrite minus_numbers, <- map_app. apply numbers. rewrite total_app, total_opposite. lia.
  Qed.

  Lemma numbers_beyond xs ys : total ys < total xs -> beyond (map Num xs) (map Num ys).
  Proof.
    intros T. apply show_beyond. rewrite minus_numbers, <- map_app. apply numbers. rewrite total_app, total_opposite. lia.
  Qed.

  Lemma number_above m n : n <= m -> above [Num m] [Num n].
  Proof. intros L. apply (numbers_above [m] [n]). simpl. lia. Qed.

  Lemma moved_number s z y : moved s [Num z] y -> exists w, In w (number_options s z) /\ y = [Num w].
  Proof.
    intros M. inversion M as [? b ? I | ? ? ? M']; subst; [|inversion M'].
    apply in_map_iff in I. destruct I as [w [<- I]]. eauto.
  Qed.

  Lemma right_of_opposite z w : In w (number_options Right (- z)) -> In (- w) (number_options Left z).
  Proof.
    intros I. rewrite <- (Z.opp_involutive z), (number_options_opposite Left (- z)). now apply in_map.
  Qed.

  (** FORMAT.md 5.2: n is a bound if no move of Right refutes it, in x or in the number. *)
  Lemma floor_above x n : (forall y, moved Right x y -> beyond y [Num n]) ->
    (forall w, In w (number_options Left n) -> beyond x [Num w]) -> above x [Num n].
  Proof.
    intros HR HL. apply show_above. constructor. intros y M. apply moved_either in M. destruct M as [[x' [M ->]] | [y' [M ->]]].
    - now apply use_beyond, HR.
    - apply moved_number in M. destruct M as [w [I ->]]. apply right_of_opposite in I.
      rewrite <- (Z.opp_involutive w). now apply (use_beyond x [Num (- w)]), HL.
  Qed.

  (** * Switches (FORMAT.md 5.3, 5.4) *)

  Lemma take_switch t x z : ge0 (x ++ Num t :: z) -> gt0 (x ++ Switch t :: z).
  Proof. intros G. apply some_move with (x ++ Num t :: z); auto. apply moved_second. constructor. now left. Qed.

  Lemma moved_switch s t y : moved s [Switch t] y -> y = [Num (match s with Left => t | Right => - t end)].
  Proof. intros M. inversion M as [? b ? I | ? ? ? M']; subst; [|inversion M']. destruct I as [<-|[]]. reflexivity. Qed.

  Lemma numbers_ge0 zs : 0 <= total zs -> ge0 (map Num zs).
  Proof. apply numbers. Qed.

  Lemma numbers_gt0 zs : 0 < total zs -> gt0 (map Num zs).
  Proof. apply numbers. Qed.

  Lemma lone_switch t : 0 <= t -> above [Switch t] [Num (- t - 1)].
  Proof.
    intros T. apply show_above. constructor. intros y M. apply moved_either in M. destruct M as [[x' [M ->]] | [y' [M ->]]].
    - apply moved_switch in M. subst. apply (numbers_gt0 [- t; - (- t - 1)]). simpl. lia.
    - apply moved_number in M. destruct M as [w [I ->]]. apply right_costs in I.
      apply (take_switch t [] [Num w]). apply (numbers_ge0 [t; w]). simpl. lia.
  Qed.

  Lemma two_switches t u : 0 <= t -> 0 <= u -> above [Switch t; Switch u] [Num (- Z.abs (t - u))].
  Proof.
    intros T U. apply show_above. constructor. intros y M.
    apply (moved_either Right [Switch t; Switch u]) in M. destruct M as [[x' [M ->]] | [y' [M ->]]].
    - apply (moved_either Right [Switch t] [Switch u]) in M. destruct M as [[x2 [M ->]] | [x2 [M ->]]]; apply moved_switch in M; subst.
      + apply (take_switch u [Num (- t)] [Num (- - Z.abs (t - u))]). apply (numbers_ge0 [- t; u; - - Z.abs (t - u)]). simpl. lia.
      + apply (take_switch t [] [Num (- u); Num (- - Z.abs (t - u))]). apply (numbers_ge0 [t; - u; - - Z.abs (t - u)]). simpl. lia.
    - apply moved_number in M. destruct M as [w [I ->]]. apply right_costs in I.
      apply (take_switch t [] [Switch u; Num w]). simpl. apply permute_ge0 with ([Switch u] ++ [Num t; Num w]); [permute|].
      apply lone_switch; auto. apply (numbers_ge0 [- u - 1; t; w]). simpl. lia.
  Qed.

  (** All switches together, in pairs. *)
  Fixpoint bound (ts : list Z) : Z :=
    match ts with
    | t :: ((u :: ts) as rest) => bound ts - Z.abs (t - u)
    | [t] => - t - 1
    | [] => 0
    end.

  Lemma switches_above ts : (forall t, In t ts -> 0 <= t) -> above (map Switch ts) [Num (bound ts)].
  Proof.
    remember (length ts) as n eqn:E. revert ts E. induction n as [n IH] using lt_wf_ind. intros ts -> P.
    destruct ts as [|t [|u ts]].
    - apply (numbers_above [] [0]). simpl. lia.
    - apply lone_switch. apply P. now left.
    - apply above_trans with ([Num (- Z.abs (t - u))] ++ [Num (bound ts)]).
      + apply (above_app [Switch t; Switch u] _ (map Switch ts)).
        * apply two_switches; apply P; simpl; auto.
        * apply (IH (length ts)); simpl; auto. intros v I. apply P. simpl. auto.
      + apply (numbers_above [- Z.abs (t - u); bound ts] [bound (t :: u :: ts)]). cbn [total bound fold_right]. lia.
  Qed.

  (** Right moves to z; Left answers in the switch. *)
  Lemma switch_answers z m t : above z [Num (m - t)] -> beyond z [Num m; Switch t].
  Proof.
    intros A. apply show_beyond. simpl. apply permute_gt0 with ((z ++ [Num (- m)]) ++ [Switch t]); [permute|].
    apply take_switch. rewrite <- app_assoc. apply A. apply (numbers_ge0 [m - t; - m; t]). simpl. lia.
  Qed.

  Lemma switch_above x m t : 0 <= t -> beyond x [Num (m + t)] ->
    (forall y, moved Right x y -> beyond y [Num m; Switch t]) -> above x [Num m; Switch t].
  Proof.
    intros T B H. apply show_above. constructor. intros y M. apply moved_either in M. destruct M as [[x' [M ->]] | [y' [M ->]]].
    - now apply use_beyond, H.
    - simpl in M. apply (moved_either Right [Num (- m)] [Switch t]) in M. destruct M as [[z [M ->]] | [z [M ->]]].
      + (* in the number: x has enough to spare *)
        apply moved_number in M. destruct M as [w [I ->]]. apply right_costs in I.
        apply use_beyond in B. simpl in B. apply gt0_move in B. destruct B as [y [M G]].
        apply moved_either in M. destruct M as [[y' [M ->]] | [y' [M ->]]].
        * apply some_move with (y' ++ [Num w; Switch t]); [now apply moved_first|].
          assert (A : above y' [Num (m + t)]) by now apply show_above.
          apply A. apply permute_ge0 with ([Switch t] ++ [Num (m + t); Num w]); [permute|].
          apply lone_switch; auto. apply (numbers_ge0 [- t - 1; m + t; w]). simpl. lia.
        * apply moved_number in M. destruct M as [v [Iv ->]].
          assert (A : above x [Num (- v)]) by (apply show_above; simpl; now rewrite Z.opp_involutive).
          assert (V : m + t < - v).
          { apply right_costs. rewrite <- (Z.opp_involutive (m + t)), (number_options_opposite Right (- (m + t))). now apply in_map. }
          apply permute_gt0 with ((x ++ [Num w]) ++ [Switch t]); [permute|]. apply take_switch. rewrite <- app_assoc.
          apply A. apply (numbers_ge0 [- v; w; t]). simpl. lia.
      + apply moved_switch in M. subst. simpl. apply B. apply (numbers_ge0 [m + t; - m; - t]). simpl. lia.
  Qed.

  (** * One sum imitates another: y has all that Left has in x, and Right has in x all that he has in y. *)

  Definition imitation (P : sum -> sum -> Prop) : Prop := forall x y, P x y ->
    (forall y', moved Right y y' -> exists x', moved Right x x' /\ P x' y') /\
    (forall x', moved Left x x' -> exists y', moved Left y y' /\ P x' y').

  Lemma imitation_above P x y : imitation P -> P x y -> above y x.
  Proof.
    intros S. assert (H : forall n z x y, (Sums.weight part (part_rank a) (x ++ z) <= n)%nat -> P x y ->
        (ge0 (x ++ z) -> ge0 (y ++ z)) /\ (gt0 (x ++ z) -> gt0 (y ++ z))).
    { clear x y. intros n. induction n as [n IH] using lt_wf_ind. intros z x y W Q. destruct (S x y Q) as [SR SL]. split; intros G.
      - constructor. intros w M. apply moved_either in M. destruct M as [[y' [M ->]] | [z' [M ->]]].
        + destruct (SR _ M) as [x' [M' Q']]. assert (M2 := moved_first _ _ _ z M').
          assert (W' := moved_smaller _ _ _ smaller _ _ _ M2).
          apply (IH _ (Nat.lt_le_trans _ _ _ W' W) z x' y' (le_n _) Q'). now apply (ge0_answer part (options a) (x ++ z)).
        + assert (M2 := moved_second _ _ _ x M). assert (W' := moved_smaller _ _ _ smaller _ _ _ M2).
          apply (IH _ (Nat.lt_le_trans _ _ _ W' W) z' x y (le_n _) Q). now apply (ge0_answer part (options a) (x ++ z)).
      - apply gt0_move in G. destruct G as [w [M G]].
        assert (W' := moved_smaller _ _ _ smaller _ _ _ M).
        apply moved_either in M. destruct M as [[x' [M ->]] | [z' [M ->]]].
        + destruct (SL _ M) as [y' [M' Q']]. apply some_move with (y' ++ z); [now apply moved_first|].
          now apply (IH _ (Nat.lt_le_trans _ _ _ W' W) z x' y' (le_n _) Q').
        + apply some_move with (y ++ z'); [now apply moved_second|].
          now apply (IH _ (Nat.lt_le_trans _ _ _ W' W) z' x y (le_n _) Q). }
    intros Q z. now apply (H (Sums.weight part (part_rank a) (x ++ z)) z x y (le_n _)).
  Qed.
End Order.
