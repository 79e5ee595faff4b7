(** Sums of games (Conway): enough of the theory for FORMAT.md 5. A sum is a list of parts; a move is a move in one part.

    [ge0 x] says that Left wins the sum x when Right begins (x >= 0), [gt0 x] that she wins when she begins herself (x |> 0). A
    player who cannot move loses. *)

From Coq Require Import List Arith Lia Permutation.
Import ListNotations.

Inductive side := Left | Right.

Definition opposite (s : side) : side := match s with Left => Right | Right => Left end.

Section Sums.
  Variable part : Type.
  Variable options : side -> part -> list part.
  Variable negative : part -> part.
  Variable rank : part -> nat.
  Hypothesis negative_options : forall s a, options s (negative a) = map negative (options (opposite s) a).
  Hypothesis negative_twice : forall a, negative (negative a) = a.
  Hypothesis options_smaller : forall s a b, In b (options s a) -> rank b < rank a.

  Definition sum := list part.

  (** y is x after a move of side s. *)
  Inductive moved (s : side) : sum -> sum -> Prop :=
  | moved_here a b x : In b (options s a) -> moved s (a :: x) (b :: x)
  | moved_later a x y : moved s x y -> moved s (a :: x) (a :: y).

  Inductive ge0 : sum -> Prop :=
  | all_answered x : (forall y, moved Right x y -> gt0 y) -> ge0 x
  with gt0 : sum -> Prop :=
  | some_move x y : moved Left x y -> ge0 y -> gt0 x.

  Definition minus (x : sum) : sum := map negative x.

  Definition weight (x : sum) : nat := fold_right (fun a n => rank a + n) 0 x.

  Lemma ge0_answer x y : ge0 x -> moved Right x y -> gt0 y.
  Proof. intros G M. inversion G; auto. Qed.

  Lemma gt0_move x : gt0 x -> exists y, moved Left x y /\ ge0 y.
  Proof. intros G. inversion G; eauto. Qed.

  Lemma moved_smaller s x y : moved s x y -> weight y < weight x.
  Proof.
    intros M. induction M as [a b x I|a x y M IH]; simpl; [|lia]. apply options_smaller in I. lia.
  Qed.

  Lemma moved_app_left s x y z : moved s x y -> moved s (x ++ z) (y ++ z).
  Proof. intros M. induction M; simpl; constructor; auto. Qed.

  Lemma moved_app_right s x y z : moved s x y -> moved s (z ++ x) (z ++ y).
  Proof. intros M. induction z; simpl; auto. now constructor. Qed.

  Lemma moved_app s x z w : moved s (x ++ z) w ->
    (exists y, moved s x y /\ w = y ++ z) \/ (exists y, moved s z y /\ w = x ++ y).
  Proof.
    revert w. induction x as [|a x IH]; simpl; intros w M; [right; eauto|].
    inversion M as [? b ? I | ? ? y M']; subst.
    - left. exists (b :: x). split; auto. now constructor.
    - destruct (IH _ M') as [[y' [M1 ->]] | [y' [M1 ->]]]; [left | right; eauto].
      exists (a :: y'). split; auto. now constructor.
  Qed.

  Lemma moved_permuted s x y : moved s x y -> forall x', Permutation x x' -> exists y', moved s x' y' /\ Permutation y y'.
  Proof.
    intros M x' P. assert (Q : exists a b u v, x = u ++ a :: v /\ y = u ++ b :: v /\ In b (options s a)).
    { clear P x'. induction M as [a b x I | a x y M [c [d [u [v [-> [-> I]]]]]]].
      - now exists a, b, [], x.
      - now exists c, d, (a :: u), v. }
    destruct Q as [a [b [u [v [-> [-> I]]]]]].
    assert (Ia : In a x') by (apply Permutation_in with (1 := P); apply in_elt).
    apply in_split in Ia. destruct Ia as [u' [v' ->]]. exists (u' ++ b :: v'). split.
    - apply moved_app_right. now constructor.
    - apply Permutation_app_inv in P. apply Permutation_elt. exact P.
  Qed.

  Lemma permuted n : forall x, weight x <= n -> forall y, Permutation x y -> (ge0 x -> ge0 y) /\ (gt0 x -> gt0 y).
  Proof.
    induction n as [n IH] using lt_wf_ind. intros x L y P. split.
    - intros G. constructor. intros y' M. destruct (moved_permuted _ _ _ M x (Permutation_sym P)) as [x' [M' P']].
      assert (W := moved_smaller _ _ _ M'). apply Permutation_sym in P'.
      apply (IH (weight x') ltac:(lia) x' (le_n _) y' P'). now apply (ge0_answer x).
    - intros G. apply gt0_move in G. destruct G as [x' [M G]].
      destruct (moved_permuted _ _ _ M y P) as [y' [M' P']]. assert (W := moved_smaller _ _ _ M).
      apply some_move with y'; auto. now apply (IH (weight x') ltac:(lia) x' (le_n _) y' P').
  Qed.

  Lemma ge0_permuted x y : Permutation x y -> ge0 x -> ge0 y.
  Proof. intros P. now apply (permuted (weight x) x (le_n _) y P). Qed.

  Lemma gt0_permuted x y : Permutation x y -> gt0 x -> gt0 y.
  Proof. intros P. now apply (permuted (weight x) x (le_n _) y P). Qed.

  Lemma weight_app x y : weight (x ++ y) = weight x + weight y.
  Proof. induction x; simpl; lia. Qed.

  Lemma added n : forall x y, weight x + weight y <= n ->
    (ge0 x -> ge0 y -> ge0 (x ++ y)) /\ (gt0 x -> ge0 y -> gt0 (x ++ y)).
  Proof.
    induction n as [n IH] using lt_wf_ind. intros x y L. split; intros G H.
    - constructor. intros z M. destruct (moved_app _ _ _ _ M) as [[x' [M' ->]] | [y' [M' ->]]];
        assert (W := moved_smaller _ _ _ M').
      + apply (IH (weight x' + weight y)); auto; [lia|]. now apply (ge0_answer x).
      + apply gt0_permuted with (y' ++ x); [apply Permutation_app_comm|].
        apply (IH (weight y' + weight x)); auto; [lia|]. now apply (ge0_answer y).
    - apply gt0_move in G. destruct G as [x' [M G]]. assert (W := moved_smaller _ _ _ M).
      apply some_move with (x' ++ y); [now apply moved_app_left|]. apply (IH (weight x' + weight y)); auto. lia.
  Qed.

  Lemma ge0_ge0 x y : ge0 x -> ge0 y -> ge0 (x ++ y).
  Proof. now apply (added (weight x + weight y)). Qed.

  Lemma gt0_ge0 x y : gt0 x -> ge0 y -> gt0 (x ++ y).
  Proof. now apply (added (weight x + weight y)). Qed.

  Lemma ge0_gt0 x y : ge0 x -> gt0 y -> gt0 (x ++ y).
  Proof. intros G H. apply gt0_permuted with (y ++ x); [apply Permutation_app_comm | now apply gt0_ge0]. Qed.

  (** Whatever Right does in a part, Left does in its negative. *)
  Lemma mirror_ge0 x : ge0 (x ++ minus x).
  Proof.
    remember (weight x) as n eqn:E. revert x E. induction n as [n IH] using lt_wf_ind. intros x ->.
    assert (mirrored : forall s x y, moved s x y -> moved (opposite s) (minus x) (minus y)).
    { intros s u v M. induction M as [a b u I | a u v M IHM]; simpl; constructor; auto.
      rewrite negative_options. apply in_map. now destruct s. }
    assert (unmirrored : forall s x y, moved s (minus x) y -> exists z, moved (opposite s) x z /\ y = minus z).
    { intros s u. induction u as [|a u IHu]; simpl; intros v M; inversion M as [? b ? I | ? ? w M']; subst.
      - rewrite negative_options in I. apply in_map_iff in I. destruct I as [c [<- I]]. exists (c :: u). split; auto.
        now constructor.
      - destruct (IHu _ M') as [z [Mz ->]]. exists (a :: z). split; auto. now constructor. }
    constructor. intros y M. destruct (moved_app _ _ _ _ M) as [[x' [M' ->]] | [y' [M' ->]]].
    - apply some_move with (x' ++ minus x'); [apply moved_app_right; exact (mirrored _ _ _ M')|].
      assert (W := moved_smaller _ _ _ M'). now apply (IH (weight x')).
    - destruct (unmirrored _ _ _ M') as [x' [M1 ->]]. simpl in M1.
      apply some_move with (x' ++ minus x'); [now apply moved_app_left|].
      assert (W := moved_smaller _ _ _ M1). now apply (IH (weight x')).
  Qed.

  Lemma minus_twice x : minus (minus x) = x.
  Proof. unfold minus. rewrite map_map. rewrite <- (map_id x) at 2. apply map_ext. apply negative_twice. Qed.

  Lemma minus_moved s x y : moved s x y -> moved (opposite s) (minus x) (minus y).
  Proof.
    intros M. induction M as [a b u I | a u v M IHM]; simpl; constructor; auto.
    rewrite negative_options. apply in_map. now destruct s.
  Qed.

  Lemma has_move s x : (exists y, moved s x y) \/ (forall y, ~ moved s x y).
  Proof.
    induction x as [|a x IH]; [right; intros y M; inversion M|].
    destruct (options s a) as [|b l] eqn:O.
    - destruct IH as [[y M] | N]; [left; exists (a :: y); now constructor | right].
      intros y M. inversion M as [? b ? I | ? ? z M']; subst; [now rewrite O in I | now apply (N z)].
    - left. exists (b :: x). constructor. rewrite O. now left.
  Qed.

  (** All sums after a move. *)
  Fixpoint after (s : side) (x : sum) : list sum :=
    match x with
    | [] => []
    | a :: x => map (fun b => b :: x) (options s a) ++ map (cons a) (after s x)
    end.

  Lemma in_after s x y : In y (after s x) <-> moved s x y.
  Proof.
    revert y. induction x as [|a x IH]; simpl; intros y; split.
    - intros [].
    - intros M. inversion M.
    - intros I. apply in_app_or in I. destruct I as [I|I]; apply in_map_iff in I; destruct I as [b [<- I]].
      + now constructor.
      + constructor. now apply IH.
    - intros M. apply in_or_app. inversion M as [? b ? I | ? ? z M']; subst; [left | right]; apply in_map_iff.
      + now exists b.
      + exists z. split; auto. now apply IH.
  Qed.

  (** x >= 0, or Right wins when he begins; x |> 0, or Right wins when Left begins. *)
  Lemma decided n : forall x, weight x <= n -> (ge0 x \/ gt0 (minus x)) /\ (gt0 x \/ ge0 (minus x)).
  Proof.
    induction n as [n IH] using lt_wf_ind. intros x L.
    assert (S : forall s y, moved s x y -> (ge0 y \/ gt0 (minus y)) /\ (gt0 y \/ ge0 (minus y))).
    { intros s y M. assert (W := moved_smaller _ _ _ M). now apply (IH (weight y)); [lia|]. }
    split.
    - assert (D : (forall y, In y (after Right x) -> gt0 y) \/ (exists y, In y (after Right x) /\ ge0 (minus y))).
      { assert (S' : forall y, In y (after Right x) -> gt0 y \/ ge0 (minus y)) by (intros y I; apply (S Right); now apply in_after).
        induction (after Right x) as [|y l IHl]; [left; intros y []|].
        destruct (S' y (or_introl eq_refl)) as [G|G]; [|right; exists y; split; auto; now left].
        destruct IHl as [A | [z [I Z]]]; [intros; apply S'; now right | left; intros z [<-|I]; auto | right; exists z; split; auto; now right]. }
      destruct D as [A | [y [I G]]].
      + left. constructor. intros y M. apply A. now apply in_after.
      + right. apply in_after in I. apply some_move with (minus y); auto. exact (minus_moved _ _ _ I).
    - assert (D : (exists y, In y (after Left x) /\ ge0 y) \/ (forall y, In y (after Left x) -> gt0 (minus y))).
      { assert (S' : forall y, In y (after Left x) -> ge0 y \/ gt0 (minus y)) by (intros y I; apply (S Left); now apply in_after).
        induction (after Left x) as [|y l IHl]; [right; intros y []|].
        destruct (S' y (or_introl eq_refl)) as [G|G]; [left; exists y; split; auto; now left|].
        destruct IHl as [[z [I Z]] | A]; [intros; apply S'; now right | left; exists z; split; auto; now right | right; intros z [<-|I]; auto]. }
      destruct D as [[y [I G]] | A].
      + left. apply in_after in I. now apply some_move with y.
      + right. constructor. intros y M. apply minus_moved in M. rewrite minus_twice in M. simpl in M.
        rewrite <- (minus_twice y). apply A. now apply in_after.
  Qed.

  Lemma ge0_or x : ge0 x \/ gt0 (minus x).
  Proof. now apply (decided (weight x)). Qed.

  Lemma gt0_or x : gt0 x \/ ge0 (minus x).
  Proof. now apply (decided (weight x)). Qed.

  Lemma ge0_not x : ge0 x -> gt0 (minus x) -> False.
  Proof.
    remember (weight x) as n eqn:E. revert x E. induction n as [n IH] using lt_wf_ind. intros x -> G H.
    apply gt0_move in H. destruct H as [y [M H]]. apply minus_moved in M. rewrite minus_twice in M. simpl in M.
    assert (G' := ge0_answer _ _ G M). apply gt0_move in G'. destruct G' as [z [M' G']].
    assert (W := moved_smaller _ _ _ M). assert (W' := moved_smaller _ _ _ M').
    apply (IH (weight z) ltac:(lia) z eq_refl G'). apply (ge0_answer y); auto. apply minus_moved in M'. now rewrite minus_twice in M'.
  Qed.

  Lemma minus_app x y : minus (x ++ y) = minus x ++ minus y.
  Proof. apply map_app. Qed.

  (** A game and its negative may be left out. *)
  Lemma cancel_ge0 x y : ge0 (x ++ minus x ++ y) -> ge0 y.
  Proof.
    intros G. destruct (ge0_or y) as [H|H]; auto. exfalso. apply (ge0_not _ G).
    rewrite !minus_app, minus_twice, app_assoc. apply ge0_gt0; auto.
    apply ge0_permuted with (x ++ minus x); [apply Permutation_app_comm | apply mirror_ge0].
  Qed.

  Lemma cancel_gt0 x y : gt0 (x ++ minus x ++ y) -> gt0 y.
  Proof.
    intros G. destruct (gt0_or y) as [H|H]; auto. exfalso. apply (ge0_not (minus (x ++ minus x ++ y))).
    - rewrite !minus_app, minus_twice, app_assoc. apply ge0_ge0; auto.
      apply ge0_permuted with (x ++ minus x); [apply Permutation_app_comm | apply mirror_ge0].
    - now rewrite minus_twice.
  Qed.
End Sums.
