(** From zones to the rules: a player who can secure a goal on free cells, moving second, reaches it in the real game, where
    nobody may pass. *)

From Coq Require Import NArith Arith List Bool Lia.
From Zermelo Require Import Rules Sets Positional Zones.
Import ListNotations.
Open Scope N_scope.

Lemma secures_reply W R X c : upward W -> secures W R X ->
  (exists d, has R d /\ d <> c /\ secures W (N.clearbit (N.clearbit R c) d) (N.setbit X d))
  \/ secures W (N.clearbit R c) X.
Proof.
  intros U S. destruct (has_dec R c) as [Hc|Hc].
  - inversion S as [? ? D | ? ? f N F A]; subst; [right; now apply secured|].
    specialize (A c Hc). unfold answered in A. destruct (N.eqb_spec (f c) c) as [E|E].
    + right. apply secures_more with (1 := A); auto; [|intros x; auto].
      intros x. rewrite E, !has_clear. tauto.
    + left. exists (f c). auto.
  - right. apply secures_more with (1 := S); auto; [|intros x; auto].
    intros x Hx. rewrite has_clear. split; auto. intros ->. auto.
Qed.

Lemma marks_mark p x c d : has (marks p (mark x c)) d <-> has (marks p x) d \/ (d = c /\ turn x = p).
Proof.
  unfold mark. destruct (turn x) eqn:T, p; simpl; rewrite ?has_set; intuition congruence.
Qed.

Lemma turn_mark x c : turn (mark x c) = other (turn x).
Proof. unfold mark. now destruct (turn x). Qed.

Lemma in_free_marks b x c p :
  In c (free_cells b x) <-> c < cells b /\ ~ has (marks p x) c /\ ~ has (marks (other p) x) c.
Proof. rewrite in_free. destruct p; simpl; tauto. Qed.

Section Securing.
  Variables (b : board) (ends : marking -> option result) (p : player) (W : N -> Prop) (G : result -> Prop).
  Let g := Game marking turn ends (marks_in_turn b).

  (** The goal is still within reach: she has, or may get, cells for which W holds. *)
  Definition alive (x : marking) : Prop :=
    apart (marks p x) (marks (other p) x) /\
    exists s, W s /\ forall c, has s c -> has (marks p x) c \/ In c (free_cells b x).

  Hypothesis U : upward W.
  Hypothesis ends_full : forall x, ends x = None -> full b x = false.
  Hypothesis ends_well : forall x r, ends x = Some r -> alive x -> G r.

  Definition secured_from (x : marking) : Prop :=
    apart (marks p x) (marks (other p) x) /\
    exists R X, secures W R X /\ inside X (marks p x) /\ (forall c, has R c -> In c (free_cells b x)).

  Lemma secured_alive x : secured_from x -> alive x.
  Proof.
    intros [A [R [X [S [IX IR]]]]]. split; auto. exists (N.lor R X). split; [now apply secures_zone|].
    intros c. rewrite has_lor. intros [C|C]; auto.
  Qed.

  Lemma apart_mark x c : apart (marks p x) (marks (other p) x) -> In c (free_cells b x) ->
    apart (marks p (mark x c)) (marks (other p) (mark x c)).
  Proof.
    intros A I d. rewrite !marks_mark. apply (in_free_marks b x c p) in I. destruct I as [_ [I1 I2]].
    intros [D1|[-> D1]] [D2|[E D2]]; subst; auto; [now apply (A d)|]. destruct p; simpl in *; congruence.
  Qed.

  Lemma free_mark x c d : In d (free_cells b x) -> d <> c -> In d (free_cells b (mark x c)).
  Proof.
    rewrite !(in_free_marks b _ d p), !marks_mark. tauto.
  Qed.

  Theorem secured_ensures : forall x : position g, turn x = other p -> secured_from x -> ensures p G x.
  Proof.
    intros x. remember (rank b x) as n eqn:E. revert x E.
    induction n as [n IH] using lt_wf_ind. intros x -> T Q.
    destruct (ends x) as [r|] eqn:O; [apply at_end with r; auto; apply (ends_well x); auto; now apply secured_alive|].
    apply any_reply; auto. simpl. intros y I. apply in_map_iff in I. destruct I as [c [<- Ic]].
    destruct Q as [A [R [X [S [IX IR]]]]].
    assert (A' := apart_mark x c A Ic).
    assert (Ty : turn (mark x c) = p) by now rewrite turn_mark, T, other_other.
    (* [next d R' X']: it is enough that she secures the goal after her reply d. *)
    assert (next : forall d, In d (free_cells b (mark x c)) ->
                     secures W (N.clearbit (N.clearbit R c) d) (N.setbit X d) ->
                     secured_from (mark (mark x c) d)).
    { intros d Fd Sd. split; [now apply apart_mark|]. exists (N.clearbit (N.clearbit R c) d), (N.setbit X d).
      split; auto. split.
      - intros e. rewrite has_set, marks_mark. intros [->|He]; auto. left. rewrite marks_mark. auto.
      - intros e. rewrite !has_clear. intros [[He N1] N2]. apply free_mark; auto. apply free_mark; auto. }
    assert (go : forall d, In d (free_cells b (mark x c)) ->
                   secures W (N.clearbit (N.clearbit R c) d) (N.setbit X d) ->
                   ends (mark x c) = None -> @ensures g p G (mark x c)).
    { intros d Fd Sd Oy. apply own_move with (mark (mark x c) d); auto; [now apply in_map|].
      apply (IH (rank b (mark (mark x c) d))); auto.
      - apply Nat.lt_trans with (rank b (mark x c)); now apply mark_rank.
      - now rewrite turn_mark, Ty. }
    destruct (ends (mark x c)) as [r|] eqn:Oy.
    - apply at_end with r; auto. apply (ends_well (mark x c)); auto. split; auto.
      destruct (secures_reply W R X c U S) as [[d [Hd [Nd Sd]]] | Sc].
      + exists (N.lor (N.clearbit (N.clearbit R c) d) (N.setbit X d)). split; [now apply secures_zone|].
        intros e. rewrite has_lor, !has_clear, has_set, marks_mark.
        intros [[[He N1] N2] | [-> | He]]; auto; right; apply free_mark; auto.
      + exists (N.lor (N.clearbit R c) X). split; [now apply secures_zone|].
        intros e. rewrite has_lor, has_clear, marks_mark. intros [[He N1] | He]; auto. right. apply free_mark; auto.
    - destruct (secures_reply W R X c U S) as [[d [Hd [Nd Sd]]] | Sc].
      + apply go with d; auto. apply free_mark; auto.
      + specialize (ends_full _ Oy). unfold full in ends_full.
        destruct (free_cells b (mark x c)) as [|d l] eqn:Fr; [discriminate|].
        apply go with d; auto; [now left|]. now apply secures_gift.
  Qed.

  (** The same when she moves first, if the goal is secured after a move of hers. *)
  Theorem secured_moving x y : turn x = p -> apart (marks p x) (marks (other p) x) -> In y (free_cells b x) ->
    secured_from (mark x y) -> @ensures g p G x.
  Proof.
    intros T A I Q. destruct (ends x) as [r|] eqn:O.
    - apply at_end with r; auto. apply (ends_well x); auto. split; auto.
      apply secured_alive in Q. destruct Q as [_ [s [Ws Hs]]]. exists s. split; auto.
      intros c C. specialize (Hs c C). rewrite marks_mark in Hs. destruct Hs as [[Hs | [-> _]] | Hs]; auto.
      apply (in_free_marks b _ _ p) in Hs. rewrite !marks_mark in Hs. right. apply (in_free_marks b _ _ p). tauto.
    - apply own_move with (mark x y); auto; [now apply in_map|]. apply secured_ensures; auto.
      now rewrite turn_mark, T.
  Qed.
End Securing.

(** * The goals of the players *)

(** A mark on every edge of a list. *)
Definition on_every (es : list N) (s : N) : Prop := forall e, In e es -> exists c, has e c /\ has s c.

(** All cells of some edge. *)
Definition has_edge (es : list N) (s : N) : Prop := exists e, In e es /\ inside e s.

Lemma on_every_upward es : upward (on_every es).
Proof. intros s t I W e E. destruct (W e E) as [c [A B]]. eauto. Qed.

Lemma has_edge_upward es : upward (has_edge es).
Proof. intros s t I [e [E J]]. exists e. split; auto. intros c C. auto. Qed.

Lemma holds_edge_spec b s : holds_edge b s = true <-> has_edge (edges b) s.
Proof.
  unfold holds_edge, has_edge. rewrite existsb_exists. split; intros [e [I H]]; exists e; split; auto;
  now apply subset_inside.
Qed.

(** While every edge can still be hit, the opponent has none. *)
Lemma alive_no_edge b p x : alive b p (on_every (edges b)) x -> holds_edge b (marks (other p) x) = false.
Proof.
  intros [A [s [W H]]]. destruct (holds_edge b (marks (other p) x)) eqn:E; auto. exfalso.
  apply holds_edge_spec in E. destruct E as [e [I J]]. destruct (W e I) as [c [C1 C2]]. specialize (J c C1).
  destruct (H c C2) as [C|C]; [now apply (A c)|]. apply (in_free_marks b x c p) in C. tauto.
Qed.

Theorem breaker_wins b (x : position (maker_breaker b)) :
  (turn x = One -> secured_from b Two (on_every (edges b)) x -> wins Two x) /\
  (turn x = Two -> forall y, apart (of_two x) (of_one x) -> In y (free_cells b x) ->
                   secured_from b Two (on_every (edges b)) (mark x y) -> wins Two x).
Proof.
  assert (H : forall x r, over (g := maker_breaker b) x = Some r -> alive b Two (on_every (edges b)) x -> r = Won Two).
  { intros y r O Al. apply alive_no_edge in Al. simpl in *. rewrite Al in O. destruct (full b y); congruence. }
  assert (Fl : forall x, over (g := maker_breaker b) x = None -> full b x = false).
  { intros y O. simpl in O. destruct (holds_edge b (of_one y)), (full b y); congruence. }
  split; intros T.
  - intros Q. now apply (secured_ensures b _ Two _ _ (on_every_upward _) Fl H).
  - intros y A I Q. now apply (secured_moving b _ Two _ _ (on_every_upward _) Fl H x y).
Qed.

Theorem maker_wins b (x : position (maker_breaker b)) :
  (turn x = Two -> secured_from b One (has_edge (edges b)) x -> wins One x) /\
  (turn x = One -> forall y, apart (of_one x) (of_two x) -> In y (free_cells b x) ->
                   secured_from b One (has_edge (edges b)) (mark x y) -> wins One x).
Proof.
  assert (H : forall x r, over (g := maker_breaker b) x = Some r -> alive b One (has_edge (edges b)) x -> r = Won One).
  { intros y r O [_ [s [W Hs]]]. simpl in *. destruct (holds_edge b (of_one y)) eqn:E; [congruence|].
    destruct (full b y) eqn:F; [|discriminate]. exfalso. apply (Bool.eq_true_false_abs _ eq_refl). rewrite <- E. symmetry.
    apply holds_edge_spec. apply has_edge_upward with (2 := W). intros c C. destruct (Hs c C) as [D|D]; auto.
    unfold full in F. now destruct (free_cells b y). }
  assert (Fl : forall x, over (g := maker_breaker b) x = None -> full b x = false).
  { intros y O. simpl in O. destruct (holds_edge b (of_one y)), (full b y); congruence. }
  split; intros T.
  - intros Q. now apply (secured_ensures b _ One _ _ (has_edge_upward _) Fl H).
  - intros y A I Q. now apply (secured_moving b _ One _ _ (has_edge_upward _) Fl H x y).
Qed.

(** Blocking alone is enough not to lose the strong game. *)
Theorem blocking_safe b p (x : position (strong b)) :
  (turn x = other p -> secured_from b p (on_every (edges b)) x -> safe p x) /\
  (turn x = p -> forall y, apart (marks p x) (marks (other p) x) -> In y (free_cells b x) ->
                   secured_from b p (on_every (edges b)) (mark x y) -> safe p x).
Proof.
  assert (H : forall x r, over (g := strong b) x = Some r -> alive b p (on_every (edges b)) x -> r <> Won (other p)).
  { intros y r O Al ->. apply alive_no_edge in Al. simpl in *. destruct p; simpl in *; rewrite Al in O;
    repeat match type of O with context [if ?c then _ else _] => destruct c end; discriminate. }
  assert (Fl : forall x, over (g := strong b) x = None -> full b x = false).
  { intros y O. simpl in O. destruct (holds_edge b (of_one y)), (holds_edge b (of_two y)), (full b y); congruence. }
  split; intros T.
  - intros Q. now apply (secured_ensures b _ p _ _ (on_every_upward _) Fl H).
  - intros y A I Q. now apply (secured_moving b _ p _ _ (on_every_upward _) Fl H x y).
Qed.
