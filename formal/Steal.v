(** The starter of an empty board does not lose the strong game (FORMAT.md 9, Empty board). *)

From Coq Require Import NArith Arith List Bool Lia.
From Zermelo Require Import Rules Sets Positional Zones Play Alike.
Import ListNotations.
Open Scope N_scope.

(** The position with the players' names exchanged. *)
Definition exchanged (x : marking) : marking := Marking (other (turn x)) (of_two x) (of_one x).

Definition sane (b : board) (x : marking) : Prop := ~ (holds_edge b (of_one x) = true /\ holds_edge b (of_two x) = true).

Lemma free_spec p b x c : free b x c <-> c < cells b /\ ~ has (marks p x) c /\ ~ has (marks (other p) x) c.
Proof. apply in_free_marks. Qed.

Lemma free_exchanged b x c : free b (exchanged x) c <-> free b x c.
Proof. unfold free. rewrite !in_free. simpl. tauto. Qed.

Lemma full_spec b x : full b x = true <-> forall c, ~ free b x c.
Proof.
  unfold full, free. destruct (free_cells b x) as [|c l]; split; intros H; auto; try discriminate.
  exfalso. apply (H c). now left.
Qed.

Lemma full_exchanged b x : full b (exchanged x) = full b x.
Proof.
  destruct (full b x) eqn:E.
  - apply full_spec. intros c F. apply free_exchanged in F. revert F. now apply full_spec.
  - destruct (full b (exchanged x)) eqn:E'; auto. rewrite <- E. symmetry. apply full_spec. intros c F.
    rewrite <- free_exchanged in F. revert F. now apply full_spec.
Qed.

Lemma exchanged_mark x c : exchanged (mark x c) = mark (exchanged x) c.
Proof. unfold exchanged, mark. simpl. now destruct (turn x). Qed.

Lemma sane_mark b x c : over (g := strong b) x = None -> sane b (mark x c).
Proof.
  intros O [A B]. simpl in O. unfold mark in *. destruct (turn x); simpl in *.
  - rewrite B in O. now destruct (holds_edge b (of_one x)).
  - rewrite A in O. discriminate.
Qed.

Lemma over_exchanged b x : sane b x -> forall r, over (g := strong b) x = Some r ->
  over (g := strong b) (exchanged x) = Some (match r with Won p => Won (other p) | Draw => Draw end).
Proof.
  intros S r. unfold sane in S. simpl. rewrite full_exchanged.
  destruct (holds_edge b (of_one x)), (holds_edge b (of_two x)), (full b x); intros [= <-]; auto; tauto.
Qed.

Lemma over_exchanged_none b x : over (g := strong b) x = None -> over (g := strong b) (exchanged x) = None.
Proof.
  simpl. rewrite full_exchanged. destruct (holds_edge b (of_one x)), (holds_edge b (of_two x)), (full b x); congruence.
Qed.

Lemma wins_exchanged b p (x : position (strong b)) : wins p x -> sane b x ->
  @wins (strong b) (other p) (exchanged x).
Proof.
  intros W. induction W as [x r O -> | x z O M I _ IH | x O M _ IH]; intros S.
  - apply (over_exchanged b x S) in O. now apply at_end with (Won (other p)).
  - apply in_map_iff in I. destruct I as [c [<- I]]. apply own_move with (mark (exchanged x) c).
    + now apply over_exchanged_none.
    + simpl in *. now rewrite M.
    + apply in_map. now apply free_exchanged.
    + rewrite <- exchanged_mark. apply IH. now apply sane_mark.
  - apply any_reply.
    + now apply over_exchanged_none.
    + simpl in *. now rewrite M.
    + intros z I. apply in_map_iff in I. destruct I as [c [<- I]]. apply free_exchanged in I.
      rewrite <- exchanged_mark. apply IH; [now apply in_map | now apply sane_mark].
Qed.

(** A player who can win can still have an edge: one without a mark of the opponent, on the board. *)
Lemma wins_edge b p (x : position (strong b)) : wins p x -> valid x ->
  exists e, In e (edges b) /\ forall c, has e c -> has (marks p x) c \/ free b x c.
Proof.
  intros W. induction W as [x r O -> | x z O M I _ IH | x O M _ IH]; intros V.
  - simpl in O. assert (H : holds_edge b (marks p x) = true).
    { destruct (holds_edge b (of_one x)) eqn:A; [injection O as <-; exact A|].
      destruct (holds_edge b (of_two x)) eqn:B; [injection O as <-; exact B|]. destruct (full b x); discriminate. }
    apply holds_edge_spec in H. destruct H as [e [I J]]. exists e. split; auto.
  - apply in_map_iff in I. destruct I as [c [<- I]]. destruct IH as [e [Ie J]]; [now apply (valid_mark b)|].
    exists e. split; auto. intros d D. destruct (J d D) as [H|H].
    + apply marks_mark in H. destruct H as [H | [-> _]]; auto.
    + apply free_after in H. tauto.
  - simpl in O. destruct (full b x) eqn:F; [destruct (holds_edge b (of_one x)), (holds_edge b (of_two x)); discriminate|].
    unfold full in F. destruct (free_cells b x) as [|c l] eqn:X; [discriminate|].
    assert (Fc : free b x c) by (unfold free; rewrite X; now left).
    destruct (IH (mark x c)) as [e [Ie J]]; [apply in_map; exact Fc | now apply (valid_mark b) |].
    exists e. split; auto. intros d D. destruct (J d D) as [H|H].
    + apply marks_mark in H. simpl in M. destruct H as [H | [-> T]]; auto.
    + apply free_after in H. tauto.
Qed.

(** [more p x y]: y is x with more marks of p. *)
Record more (b : board) (p : player) (x y : marking) : Prop := {
  more_turn : turn y = turn x;
  more_own : inside (marks p x) (marks p y);
  more_other : forall c, has (marks (other p) y) c <-> has (marks (other p) x) c
}.

Lemma holds_edge_same b s u : (forall c, has s c <-> has u c) -> holds_edge b s = holds_edge b u.
Proof. intros H. f_equal. now apply sets_equal. Qed.

Lemma holds_edge_more b s u : inside s u -> holds_edge b s = true -> holds_edge b u = true.
Proof.
  rewrite !holds_edge_spec. intros I [e [E J]]. exists e. split; auto. intros c C. auto.
Qed.

Lemma over_won b p x : sane b x -> over (g := strong b) x = Some (Won p) <-> holds_edge b (marks p x) = true.
Proof.
  intros S. unfold sane in S. simpl. destruct p; simpl; destruct (holds_edge b (of_one x)), (holds_edge b (of_two x)), (full b x);
  split; try congruence; tauto.
Qed.

Theorem more_wins b p (x : position (strong b)) : wins p x -> forall y, valid x -> valid y -> sane b x -> sane b y ->
  more b p x y -> @wins (strong b) p y.
Proof.
  intros W. induction W as [x r O -> | x z O M I W IH | x O M R IH]; intros y Vx Vy Sx Sy [T Own Oth].
  - apply at_end with (Won p); auto. apply over_won; auto. apply holds_edge_more with (marks p x); auto. now apply over_won.
  - destruct (holds_edge b (marks p y)) eqn:H; [apply at_end with (Won p); auto; now apply over_won|].
    assert (No : holds_edge b (marks (other p) y) = false).
    { rewrite (holds_edge_same b _ _ Oth). destruct (holds_edge b (marks (other p) x)) eqn:E; auto.
      apply (over_won b (other p) x Sx) in E. congruence. }
    assert (Oy : full b y = false -> over (g := strong b) y = None).
    { intros F. simpl. destruct p; simpl in H, No; now rewrite H, No, F. }
    apply in_map_iff in I. destruct I as [c [<- I]]. assert (Fx : free b x c) by exact I.
    assert (Fyx : forall d, free b y d -> free b x d).
    { intros d. rewrite !(free_spec p). specialize (Own d). specialize (Oth d). tauto. }
    (* She plays c, or any other cell if she holds c. *)
    assert (go : forall d, free b y d -> has (marks p y) c \/ c = d -> @wins (strong b) p y).
    { intros d Fd Hc. assert (F : full b y = false).
      { destruct (full b y) eqn:E; auto. exfalso. apply (proj1 (full_spec b y) E d Fd). }
      apply own_move with (mark y d); auto; [simpl; now rewrite T | now apply in_map |].
      apply IH; try (now apply (valid_mark b)); try (apply sane_mark; auto).
      constructor.
      - now rewrite !turn_mark, T.
      - intros e. rewrite !marks_mark. intros [E | [-> _]]; auto. destruct Hc as [Hc | ->]; auto. right. now rewrite T.
      - intros e. rewrite !marks_mark, Oth, T. simpl in M. rewrite M. split; intros [E | [_ E]]; auto; destruct p; discriminate. }
    destruct (has_dec (marks p y) c) as [Hc|Hc].
    + destruct (free_cells b y) as [|d l] eqn:Fy.
      * exfalso. assert (Wx : wins p x) by (eapply own_move; eauto; now apply in_map).
        destruct (wins_edge b p x Wx Vx) as [e [Ie J]].
        enough (holds_edge b (marks p y) = true) by congruence. apply holds_edge_spec. exists e. split; auto.
        intros d D. destruct (J d D) as [E|E]; auto. destruct (has_dec (marks p y) d); auto. exfalso.
        assert (Fd : free b y d).
        { apply (free_spec p). apply (free_spec p) in E. specialize (Oth d). tauto. }
        unfold free in Fd. now rewrite Fy in Fd.
      * apply (go d); auto. unfold free. rewrite Fy. now left.
    + apply (go c); auto. apply (free_spec p). apply (free_spec p) in Fx. specialize (Oth c). tauto.
  - destruct (holds_edge b (marks p y)) eqn:H; [apply at_end with (Won p); auto; now apply over_won|].
    assert (No : holds_edge b (marks (other p) y) = false).
    { rewrite (holds_edge_same b _ _ Oth). destruct (holds_edge b (marks (other p) x)) eqn:E; auto.
      apply (over_won b (other p) x Sx) in E. congruence. }
    assert (Fyx : forall d, free b y d -> free b x d).
    { intros d. rewrite !(free_spec p). specialize (Own d). specialize (Oth d). tauto. }
    destruct (full b y) eqn:F.
    + exfalso. assert (Wx : wins p x) by (now apply any_reply).
      destruct (wins_edge b p x Wx Vx) as [e [Ie J]].
      enough (holds_edge b (marks p y) = true) by congruence. apply holds_edge_spec. exists e. split; auto.
      intros d D. destruct (J d D) as [E|E]; auto. destruct (has_dec (marks p y) d); auto. exfalso.
      apply (proj1 (full_spec b y) F d). apply (free_spec p). apply (free_spec p) in E. specialize (Oth d). tauto.
    + assert (Oy : over (g := strong b) y = None) by (simpl; destruct p; simpl in H, No; now rewrite H, No, F).
      apply any_reply; auto; [simpl; now rewrite T|]. intros z I. apply in_map_iff in I. destruct I as [d [<- I]].
      assert (Fd : free b x d) by now apply Fyx.
      apply (IH (mark x d)); try (now apply (valid_mark b)); try (now apply sane_mark); [now apply in_map|].
      constructor.
      * now rewrite !turn_mark, T.
      * intros e. rewrite !marks_mark, T. intros [E | E]; auto.
      * intros e. rewrite !marks_mark, Oth, T. tauto.
Qed.

Theorem starter_safe b (x : position (strong b)) : of_one x = 0 -> of_two x = 0 -> holds_edge b 0 = false ->
  safe (turn x) x.
Proof.
  intros Z1 Z2 H. set (p := turn x).
  destruct (ensures_determined (g := strong b) (rank b) (strong_finite b) p (fun r => r <> Won (other p))) with (x := x) as [A|A]; auto.
  { intros r. destruct r as [q|]; [|left; discriminate]. destruct p, q; simpl; auto; left; discriminate. }
  exfalso. assert (W : wins (other p) x).
  { apply ensures_weaker with (2 := A). intros r N. destruct r as [q|]; [|exfalso; apply N; discriminate].
    destruct (other p) eqn:P, q; auto; exfalso; apply N; congruence. }
  clear A. assert (Sx : sane b x) by (unfold sane; rewrite Z1, H; intros [A _]; discriminate).
  assert (Vx : valid x) by (intros c C; rewrite Z1 in C; now apply has_0 in C).
  assert (W' := wins_exchanged b _ x W Sx). rewrite other_other in W'.
  destruct (over (g := strong b) x) as [r|] eqn:O.
  - simpl in O. rewrite Z1, Z2, H in O. destruct (full b x) eqn:F; [|discriminate]. injection O as <-.
    inversion W as [? s O' E | ? ? O' | ? O']; subst; simpl in O'; rewrite Z1, Z2, H, F in O'; congruence.
  - assert (F : full b x = false).
    { destruct (full b x) eqn:F; auto. simpl in O. rewrite Z1, Z2, H, F in O. discriminate. }
    unfold full in F. destruct (free_cells b x) as [|c l] eqn:X; [discriminate|].
    assert (Fc : free b x c) by (unfold free; rewrite X; now left).
    assert (P : @wins (strong b) p x).
    { apply own_move with (mark x c); auto; [now apply in_map; rewrite X; left|].
      apply (more_wins b p (exchanged x)) with (1 := W'); auto.
      - intros d. simpl. rewrite Z2. intros D. now apply has_0 in D.
      - now apply (valid_mark b).
      - unfold sane. simpl. rewrite Z2, H. intros [A _]. discriminate.
      - now apply sane_mark.
      - constructor.
        + now rewrite turn_mark.
        + intros d. destruct p; simpl; rewrite ?Z1, ?Z2; intros D; now apply has_0 in D.
        + intros d. rewrite marks_mark. unfold p. destruct (turn x) eqn:T; simpl; rewrite Z1, Z2; split;
          try (intros D; now apply has_0 in D); intros [D | [_ D]]; try discriminate; now apply has_0 in D. }
    refine (ensures_exclusive (g := strong b) (rank b) (strong_finite b) p _ _ x _ P W). intros r [-> E].
    injection E as E. destruct p; discriminate.
Qed.
