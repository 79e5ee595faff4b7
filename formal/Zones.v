(** Zones (FORMAT.md 6.3 and 6.5): what a player can secure when she moves second and marks cells of a zone only.

    [secures W R X]: if the player holds all of X, and all of R is free, then by answering moves in R with cells of R (or by
    passing) she gets a set of marks for which W holds. W is a goal such as "a mark on every edge of a list" (Breaker) or
    "all cells of some edge" (Maker); more marks never hurt, so W must be [upward]. *)

From Coq Require Import NArith List Bool Lia.
From Zermelo Require Import Sets.
Import ListNotations.
Open Scope N_scope.

Definition upward (W : N -> Prop) : Prop := forall s t, inside s t -> W s -> W t.

(** What she has after her answer y to x; y = x means that she passes. *)
Definition answered (X x y : N) : N := if y =? x then X else N.setbit X y.

Inductive secures (W : N -> Prop) : N -> N -> Prop :=
| secured R X : W X -> secures W R X
| answer R X (f : N -> N) :
    R <> 0 -> (forall x, has R x -> has R (f x)) ->
    (forall x, has R x -> secures W (N.clearbit (N.clearbit R x) (f x)) (answered X x (f x))) ->
    secures W R X.

Lemma has_answered X x y c : has (answered X x y) c <-> has X c \/ (c = y /\ y <> x).
Proof.
  unfold answered. destruct (N.eqb_spec y x); [subst; intuition|]. rewrite has_set. intuition.
Qed.

(** A larger zone, more marks, a weaker goal. *)
Lemma secures_more (W W' : N -> Prop) R X : secures W R X ->
  forall R' X', inside R R' -> inside X X' -> upward W -> (forall s, inside X' s -> W s -> W' s) -> secures W' R' X'.
Proof.
  intros S. induction S as [R X D | R X f N F S IH]; intros R' X' IR IX U WW.
  - apply secured. apply WW; [unfold inside; auto|]. now apply U with X.
  - revert IR. induction R' as [R' IH'] using (well_founded_induction N.lt_wf_0). intros IR.
    apply answer with (fun x => if N.testbit R x then f x else x).
    + intros ->. destruct (has_some R N) as [c C]. exact (has_0 c (IR c C)).
    + intros x Hx. destruct (N.testbit R x) eqn:T; [apply IR, F, T | exact Hx].
    + intros x Hx. destruct (N.testbit R x) eqn:T.
      * apply (IH x T); auto.
        -- intros c C. rewrite !has_clear in *. intuition.
        -- intros c C. rewrite !has_answered in *. intuition.
        -- intros s I. apply WW. intros c C. apply I. rewrite has_answered. auto.
      * unfold answered. rewrite N.eqb_refl. apply IH'.
        -- apply N.le_lt_trans with (N.clearbit R' x); [|now apply clear_smaller].
           destruct (has_dec (N.clearbit R' x) x) as [C|C]; [apply has_clear in C; tauto|].
           replace (N.clearbit (N.clearbit R' x) x) with (N.clearbit R' x); [lia|].
           apply sets_equal. intro c. rewrite !has_clear. tauto.
        -- intros c C. rewrite !has_clear. specialize (IR c C). unfold has in C.
           assert (c <> x) by (intros ->; congruence). auto.
Qed.

Lemma secures_nothing W X : secures W 0 X -> W X.
Proof. intros S. inversion S; auto. congruence. Qed.

(** All of the zone would be more than enough. *)
Lemma secures_zone W R X : upward W -> secures W R X -> W (N.lor R X).
Proof.
  intros U S. induction S as [R X D | R X f N F S IH].
  - apply U with X; auto. intros c C. rewrite has_lor. auto.
  - destruct (has_some R N) as [x Hx]. apply U with (2 := IH x Hx).
    intros c C. rewrite has_lor, has_answered, !has_clear in *. intuition. subst. left. now apply F.
Qed.

(** A cell of the zone, marked for her as a gift. *)
Lemma secures_gift W R X y : upward W -> secures W R X -> secures W (N.clearbit R y) (N.setbit X y).
Proof.
  intros U S. induction S as [R X D | R X f N F S IH].
  - apply secured. apply U with X; auto. intros c C. rewrite has_set. auto.
  - destruct (has_dec R y) as [Hy|Hy].
    2: { apply secures_more with W R X; auto; [now apply answer with f| |].
         - intros c C. rewrite has_clear. split; auto. intros ->. auto.
         - intros c C. rewrite has_set. auto. }
    destruct (N.eq_dec (N.clearbit R y) 0) as [E|E].
    + (* y was the last cell: she has all she could get. *)
      apply secured. specialize (S y Hy). assert (f y = y).
      { destruct (N.eq_dec (f y) y); auto. exfalso. apply (has_0 (f y)). rewrite <- E, has_clear. auto. }
      rewrite H in S. assert (Z : N.clearbit (N.clearbit R y) y = 0).
      { apply sets_equal. intro c. rewrite has_clear, E. split; [tauto|]. intro C. now apply has_0 in C. }
      rewrite Z in S. apply secures_nothing in S. apply U with (2 := S).
      intros c C. rewrite has_answered, has_set in *. intuition.
    + apply answer with (fun x => if f x =? y then x else f x); auto.
      * intros x. rewrite has_clear. intros [Hx Nx]. destruct (N.eqb_spec (f x) y); rewrite has_clear; auto.
      * intros x. rewrite has_clear. intros [Hx Nx]. destruct (N.eqb_spec (f x) y) as [Y|Y].
        -- specialize (S x Hx). rewrite Y in S. apply secures_more with (1 := S); auto.
           ++ intros c. rewrite !has_clear. intuition.
           ++ intros c. rewrite !has_answered, has_set. intuition.
        -- specialize (IH x Hx). apply secures_more with (1 := IH); auto.
           ++ intros c. rewrite !has_clear. intuition.
           ++ intros c. rewrite !has_answered, !has_set, !has_answered. intuition.
Qed.

(** SUM: she answers in the zone in which the opponent has played. *)
Lemma secures_sum W1 W2 R1 X1 : secures W1 R1 X1 -> upward W1 -> upward W2 ->
  forall R2 X2, secures W2 R2 X2 -> apart R1 R2 ->
  secures (fun s => W1 s /\ W2 s) (N.lor R1 R2) (N.lor X1 X2).
Proof.
  intros S1 U1 U2. assert (U : upward (fun s => W1 s /\ W2 s)).
  { intros s t I [A B]. split; [now apply U1 with s | now apply U2 with s]. }
  induction S1 as [R1 X1 D1 | R1 X1 f1 N1 F1 S1 IH1]; intros R2 X2 S2 A.
  - apply secures_more with W2 R2 X2; auto.
    + intros c. rewrite has_lor. auto.
    + intros c. rewrite has_lor. auto.
    + intros s I W. split; auto. apply U1 with X1; auto. intros c C. apply I. rewrite has_lor. auto.
  - assert (S1' : secures W1 R1 X1) by now apply answer with f1.
    revert A. induction S2 as [R2 X2 D2 | R2 X2 f2 N2 F2 S2 IH2]; intros A.
    + apply secures_more with W1 R1 X1; auto.
      * intros c. rewrite has_lor. auto.
      * intros c. rewrite has_lor. auto.
      * intros s I W. split; auto. apply U2 with X2; auto. intros c C. apply I. rewrite has_lor. auto.
    + apply answer with (fun x => if N.testbit R1 x then f1 x else f2 x).
      * intros E. destruct (has_some R1 N1) as [c C]. apply (has_0 c). rewrite <- E, has_lor. auto.
      * intros x Hx. rewrite has_lor in *. destruct (N.testbit R1 x) eqn:T; [left; now apply F1|].
        destruct Hx as [Hx|Hx]; [unfold has in Hx; congruence | right; now apply F2].
      * intros x Hx. destruct (N.testbit R1 x) eqn:T.
        -- assert (A' : apart (N.clearbit (N.clearbit R1 x) (f1 x)) R2).
           { intros c C1 C2. rewrite !has_clear in C1. now apply (A c). }
           assert (S2' : secures W2 R2 X2) by now apply answer with f2.
           apply secures_more with (1 := IH1 x T R2 X2 S2' A'); auto.
           ++ intros c C. rewrite !has_lor, !has_clear, has_lor in *. destruct C as [C|C]; [tauto|].
              repeat split; auto; intros ->; apply (A _ T C) || (apply (A (f1 x)); auto; now apply F1).
           ++ intros c C. rewrite has_lor, !has_answered, has_lor in *. tauto.
        -- rewrite has_lor in Hx. destruct Hx as [Hx|Hx]; [unfold has in Hx; congruence|].
           assert (A' : apart R1 (N.clearbit (N.clearbit R2 x) (f2 x))).
           { intros c C1 C2. rewrite !has_clear in C2. now apply (A c). }
           apply secures_more with (1 := IH2 x Hx A'); auto.
           ++ intros c C. rewrite !has_lor, !has_clear, has_lor in *. destruct C as [C|C]; [|tauto].
              repeat split; auto; intros ->; [apply (A _ C Hx)|]. apply (A (f2 x)); auto.
           ++ intros c C. rewrite has_lor, !has_answered, has_lor in *. tauto.
Qed.

(** STEP: no cell lies in all zones, so whatever the opponent marks, she has a reply that he has not disturbed. *)
Lemma secures_step (W : N -> Prop) (R X : N) (replies : list (N * N)) :
  upward W -> replies <> [] ->
  (forall x, exists y Z, In (y, Z) replies /\ ~ has Z x) ->
  (forall y Z, In (y, Z) replies -> inside Z R /\ has Z y /\ secures W (N.clearbit Z y) (N.setbit X y)) ->
  secures W R X.
Proof.
  intros U NE C H.
  pose (f x := match find (fun r => negb (N.testbit (snd r) x)) replies with Some r => fst r | None => x end).
  assert (Ff : forall x, exists Z, In (f x, Z) replies /\ ~ has Z x).
  { intros x. unfold f. destruct (find _ replies) as [[y Z]|] eqn:E.
    - apply find_some in E. destruct E as [I B]. exists Z. split; auto. simpl in B. unfold has.
      now destruct (N.testbit Z x).
    - destruct (C x) as [y [Z [I B]]]. apply (find_none _ _ E) in I. simpl in I. unfold has in B.
      now destruct (N.testbit Z x). }
  apply answer with f.
  - destruct replies as [|[y Z] l]; [easy|]. destruct (H y Z (or_introl eq_refl)) as [I [Y _]].
    intros ->. exact (has_0 y (I y Y)).
  - intros x _. destruct (Ff x) as [Z [I _]]. destruct (H _ _ I) as [IZ [Y _]]. auto.
  - intros x _. destruct (Ff x) as [Z [I B]]. destruct (H _ _ I) as [IZ [Y S]].
    apply secures_more with (1 := S); auto.
    + intros c. rewrite !has_clear. intros [Hc Nc]. repeat split; auto. intros ->. auto.
    + intros c. rewrite has_answered, has_set. intros [-> | Hc]; auto. right. split; auto. intros E.
      apply B. now rewrite <- E.
Qed.

(** SWAP and symmetries: she plays as before with other names. *)
Lemma secures_renamed (W W' : N -> Prop) (p q : N -> N) R X : secures W R X ->
  (forall c, q (p c) = c) -> (forall c, p (q c) = c) ->
  forall R' X', (forall c, has R' c <-> has R (q c)) -> (forall c, has X' c <-> has X (q c)) ->
  (forall s s', inside s (N.lor R X) -> (forall c, has s c -> has s' (p c)) -> W s -> W' s') ->
  upward W' -> secures W' R' X'.
Proof.
  intros S QP PQ. induction S as [R X D | R X f N F S IH]; intros R' X' HR HX HW U.
  - apply secured. apply HW with X; auto.
    + intros c C. rewrite has_lor. auto.
    + intros c C. apply HX. now rewrite QP.
  - apply answer with (fun x => p (f (q x))).
    + intros ->. destruct (has_some R N) as [c C]. apply (has_0 (p c)). apply HR. now rewrite QP.
    + intros x Hx. apply HR. rewrite QP. apply F. now apply HR.
    + intros x Hx. assert (Hq : has R (q x)) by now apply HR. apply (IH (q x) Hq); auto.
      * intros c. rewrite !has_clear, HR.
        assert (A : c = x <-> q c = q x) by (split; [congruence|]; intros E; now rewrite <- (PQ c), E, PQ).
        assert (B : c = p (f (q x)) <-> q c = f (q x)) by (split; intros E; [now rewrite E, QP | now rewrite <- (PQ c), E]).
        tauto.
      * intros c. rewrite !has_answered, HX.
        assert (A : p (f (q x)) = x <-> f (q x) = q x) by (split; intros E; [apply (f_equal q) in E; now rewrite QP in E | now rewrite E, PQ]).
        assert (B : c = p (f (q x)) <-> q c = f (q x)) by (split; intros E; [now rewrite E, QP | now rewrite <- (PQ c), E]).
        tauto.
      * intros s s' I. apply HW. intros c C. specialize (I c C). rewrite !has_lor, has_answered, !has_clear in *.
        intuition. subst. left. now apply F.
Qed.

(** PAIRS: he marks one of a pair, she the other. More pairs are a sum. *)
Lemma secures_pair a b : a <> b -> secures (fun s => has s a \/ has s b) (N.setbit (N.setbit 0 a) b) 0.
Proof.
  intros D. apply answer with (fun x => if x =? a then b else a).
  - intros E. apply (has_0 b). rewrite <- E, has_set. auto.
  - intros x _. destruct (x =? a); rewrite !has_set; auto.
  - intros x Hx. apply secured. rewrite !has_answered. rewrite !has_set in Hx. destruct (N.eqb_spec x a).
    + right. right. split; congruence.
    + left. right. split; congruence.
Qed.
