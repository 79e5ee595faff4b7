(** Positions of the strong game that are alike (FORMAT.md 9, REF and Moves): the same up to names of cells, as far as edges that
    somebody can still complete are concerned. *)

From Coq Require Import NArith Arith List Bool Lia.
From Zermelo Require Import Rules Sets Positional Zones Play.
Import ListNotations.
Open Scope N_scope.

(** An edge on which only one of the players has marked cells, or nobody. *)
Definition live (x : marking) (e : N) : Prop := apart e (of_one x) \/ apart e (of_two x).

Definition free (b : board) (x : marking) (c : N) : Prop := In c (free_cells b x).

Definition valid (x : marking) : Prop := apart (of_one x) (of_two x).

(** The cells that count: the free ones, and those on live edges. *)
Definition counts (b : board) (x : marking) (c : N) : Prop :=
  free b x c \/ exists e, In e (edges b) /\ live x e /\ has e c.

(** [e] goes to [f] under a change of names. *)
Definition goes (p : N -> N) (e f : N) : Prop := forall d, has f d <-> exists c, has e c /\ d = p c.

Record alike_by (b : board) (p q : N -> N) (x y : marking) : Prop := {
  same_turn : turn x = turn y;
  forth : forall c, counts b x c -> q (p c) = c;
  back : forall d, counts b y d -> p (q d) = d;
  free_forth : forall c, free b x c -> free b y (p c);
  free_back : forall d, free b y d -> free b x (q d);
  edge_forth : forall e, In e (edges b) -> live x e -> exists f, In f (edges b) /\ goes p e f
    /\ forall s c, has e c -> (has (marks s x) c <-> has (marks s y) (p c));
  edge_back : forall f, In f (edges b) -> live y f -> exists e, In e (edges b) /\ goes q f e
    /\ forall s d, has f d -> (has (marks s y) d <-> has (marks s x) (q d))
}.

Definition alike (b : board) (x y : marking) : Prop := exists p q, alike_by b p q x y.

Lemma alike_sym b x y : alike b x y -> alike b y x.
Proof.
  intros [p [q [A B C D E F G]]]. exists q, p. constructor; auto.
Qed.

Lemma live_before x c e : live (mark x c) e -> live x e.
Proof.
  intros [L|L]; [left | right]; intros d D1 D2; apply (L d D1); unfold mark; destruct (turn x); simpl; rewrite ?has_set; auto.
Qed.

Lemma counts_before b x c d : counts b (mark x c) d -> counts b x d.
Proof.
  intros [F | [e [I [L H]]]].
  - left. unfold free in *. rewrite (in_free_marks b (mark x c) d One), !marks_mark in F. rewrite (in_free_marks b x d One). tauto.
  - right. exists e. split; auto. split; auto. now apply live_before in L.
Qed.

Lemma free_after b x c d : free b (mark x c) d <-> free b x d /\ d <> c.
Proof.
  unfold free. rewrite (in_free_marks b (mark x c) d One), (in_free_marks b x d One), !marks_mark. destruct (turn x) eqn:T; simpl; split; intros H.
  all: try (repeat split; try tauto; intros ->; tauto).
  all: destruct H as [[A [B C]] D]; repeat split; auto; intros [X|[X Y]]; auto; discriminate.
Qed.

(** Half of it: the other half is the same with the positions exchanged. *)
Lemma edge_after b p q x y c : alike_by b p q x y -> free b x c ->
  forall e, In e (edges b) -> live (mark x c) e -> exists f, In f (edges b) /\ goes p e f
    /\ forall s d, has e d -> (has (marks s (mark x c)) d <-> has (marks s (mark y (p c))) (p d)).
Proof.
  intros A Fc e I L. apply live_before in L. destruct (edge_forth _ _ _ _ _ A e I L) as [f [If [Gf M]]].
  exists f. split; auto. split; auto. intros s d D. rewrite !marks_mark, (M s d D), (same_turn _ _ _ _ _ A).
  assert (X : d = c <-> p d = p c).
  { split; [congruence|]. intros E. rewrite <- (forth _ _ _ _ _ A d), E; [|right; eauto].
    apply (forth _ _ _ _ _ A). now left. }
  tauto.
Qed.

Lemma alike_flip b p q x y : alike_by b p q x y -> alike_by b q p y x.
Proof. intros [A B C D E F G]. constructor; auto. Qed.

Lemma alike_after b p q x y c : alike_by b p q x y -> free b x c -> alike_by b p q (mark x c) (mark y (p c)).
Proof.
  intros A Fc. assert (Fp := free_forth _ _ _ _ _ A c Fc). assert (Q : q (p c) = c) by (apply (forth _ _ _ _ _ A); now left).
  constructor.
  - now rewrite !turn_mark, (same_turn _ _ _ _ _ A).
  - intros d D. apply (forth _ _ _ _ _ A). now apply counts_before in D.
  - intros d D. apply (back _ _ _ _ _ A). now apply counts_before in D.
  - intros d. rewrite !free_after. intros [D N]. split; [now apply (free_forth _ _ _ _ _ A)|]. intros E. apply N.
    rewrite <- Q, <- E. symmetry. apply (forth _ _ _ _ _ A). now left.
  - intros d. rewrite !free_after. intros [D N]. split; [now apply (free_back _ _ _ _ _ A)|]. intros E. apply N.
    rewrite <- E. symmetry. apply (back _ _ _ _ _ A). now left.
  - now apply edge_after with q.
  - pose proof (edge_after b q p y x (p c) (alike_flip _ _ _ _ _ A) Fp) as E. rewrite Q in E. exact E.
Qed.

Lemma holds_alike b x y s : valid x -> alike b x y ->
  holds_edge b (marks s x) = true -> holds_edge b (marks s y) = true.
Proof.
  intros V [p [q A]] H. apply holds_edge_spec in H. destruct H as [e [I J]].
  assert (L : live x e).
  { destruct s; simpl in J; [right | left]; intros c C D; apply (V c); auto. }
  destruct (edge_forth _ _ _ _ _ A e I L) as [f [If [G M]]]. apply holds_edge_spec. exists f. split; auto.
  intros d D. apply G in D. destruct D as [c [C ->]]. apply (M s c C). now apply J.
Qed.

Lemma full_alike b x y : alike b x y -> full b x = true -> full b y = true.
Proof.
  intros [p [q A]]. unfold full. destruct (free_cells b x) as [|c l] eqn:X; [|discriminate]. intros _.
  destruct (free_cells b y) as [|d l] eqn:Y; auto. exfalso.
  assert (F : free b x (q d)) by (apply (free_back _ _ _ _ _ A); unfold free; rewrite Y; now left).
  unfold free in F. now rewrite X in F.
Qed.

Lemma over_alike b x y : valid x -> valid y -> alike b x y ->
  over (g := strong b) x = over (g := strong b) y.
Proof.
  intros V W A. assert (A' := alike_sym _ _ _ A). simpl.
  assert (E : forall s, holds_edge b (marks s x) = holds_edge b (marks s y)).
  { intros s. destruct (holds_edge b (marks s x)) eqn:X, (holds_edge b (marks s y)) eqn:Y; auto;
    [apply (holds_alike b x y) in X | apply (holds_alike b y x) in Y]; auto; congruence. }
  rewrite (E One : holds_edge b (of_one x) = holds_edge b (of_one y)), (E Two : holds_edge b (of_two x) = holds_edge b (of_two y)).
  assert (F : full b x = full b y).
  { destruct (full b x) eqn:X, (full b y) eqn:Y; auto; [apply (full_alike b x y) in X | apply (full_alike b y x) in Y]; auto; congruence. }
  now rewrite F.
Qed.

Lemma valid_mark b x c : valid x -> free b x c -> valid (mark x c).
Proof.
  intros V F. unfold free in F. exact (apart_mark b One x c V F).
Qed.

(** What a player can make sure of is the same in positions that are alike. *)
Theorem alike_ensures b p G (x y : position (strong b)) :
  ensures p G x -> valid x -> valid y -> alike b x y -> ensures p G y.
Proof.
  intros E. revert y. induction E as [x r O Gr | x z O M I _ IH | x O M _ IH]; intros y V W A.
  - apply at_end with r; auto. now rewrite <- (over_alike b x y).
  - assert (A' := A). destruct A' as [f [h A']]. apply in_map_iff in I. destruct I as [c [<- I]].
    apply own_move with (mark y (f c)).
    + now rewrite <- (over_alike b x y).
    + simpl. now rewrite <- (same_turn _ _ _ _ _ A').
    + apply in_map. now apply (free_forth _ _ _ _ _ A').
    + apply IH; [now apply (valid_mark b) | apply (valid_mark b); auto; now apply (free_forth _ _ _ _ _ A') |].
      exists f, h. now apply alike_after.
  - assert (A' := A). destruct A' as [f [h A']]. apply any_reply.
    + now rewrite <- (over_alike b x y).
    + simpl. now rewrite <- (same_turn _ _ _ _ _ A').
    + intros z I. apply in_map_iff in I. destruct I as [d [<- I]].
      assert (F : free b x (h d)) by now apply (free_back _ _ _ _ _ A').
      apply (IH (mark x (h d))); [now apply in_map | now apply (valid_mark b) | now apply (valid_mark b) |].
      exists f, h. apply alike_flip. rewrite <- (back _ _ _ _ _ A' d) at 1; [|now left].
      rewrite (back _ _ _ _ _ A' d); [|now left]. apply alike_after; auto. now apply alike_flip.
Qed.

(** Two free cells on no live edge may exchange their names. *)
Lemma dead_alike b x c d : valid x -> free b x c -> free b x d ->
  (forall e, In e (edges b) -> live x e -> ~ has e c /\ ~ has e d) -> alike b (mark x c) (mark x d).
Proof.
  intros V Fc Fd H. pose (t := fun e => if e =? c then d else if e =? d then c else e).
  assert (Tt : forall e, t (t e) = e).
  { intros e. unfold t. destruct (N.eqb_spec e c); subst.
    - destruct (N.eqb_spec d c); subst; auto. now rewrite N.eqb_refl.
    - destruct (N.eqb_spec e d); subst; [now rewrite N.eqb_refl|].
      destruct (N.eqb_spec e c); try easy. destruct (N.eqb_spec e d); easy. }
  assert (Td : forall e, e <> c -> e <> d -> t e = e).
  { intros e A B. unfold t. destruct (N.eqb_spec e c); try easy. destruct (N.eqb_spec e d); easy. }
  assert (Ed : forall e g, In e (edges b) -> live x e -> has e g -> t g = g).
  { intros e g I L G. destruct (H e I L). apply Td; congruence. }
  assert (Gs : forall e, In e (edges b) -> live x e -> goes t e e).
  { intros e I L g. split.
    - intros G. exists g. split; auto. symmetry. now apply (Ed e).
    - intros [g' [G ->]]. now rewrite (Ed e). }
  exists t, t. constructor; auto.
  - now rewrite !turn_mark.
  - intros g. rewrite !free_after. intros [F N]. unfold t. destruct (N.eqb_spec g c); [easy|].
    destruct (N.eqb_spec g d); subst; split; auto.
  - intros g. rewrite !free_after. intros [F N]. unfold t. destruct (N.eqb_spec g c); subst; [split; auto; congruence|].
    destruct (N.eqb_spec g d); [easy|]. split; auto.
  - intros e I L. apply live_before in L. exists e. split; auto. split; auto. intros s g G. rewrite !marks_mark.
    rewrite (Ed e g); auto. destruct (H e I L). split; intros [X | [X _]]; auto; subst; tauto.
  - intros e I L. apply live_before in L. exists e. split; auto. split; auto. intros s g G. rewrite !marks_mark.
    rewrite (Ed e g); auto. destruct (H e I L). split; intros [X | [X _]]; auto; subst; tauto.
Qed.
