(** What it means to win: the definitions that a sceptic must read.

    Two players move in turn in a finite game. [ensures p G x] says that player [p], from position [x] on, can make sure that
    the game ends with a result in [G], whatever the other player does. Everything that this folder proves is a statement
    of this kind. *)

From Coq Require Import List Arith Lia.
Import ListNotations.

Inductive player := One | Two.

Definition other (p : player) : player := match p with One => Two | Two => One end.

Inductive result := Won (p : player) | Draw.

Record game := Game {
  position : Type;
  mover : position -> player;
  over : position -> option result;     (* the result where the game has ended *)
  moves : position -> list position     (* the positions after each legal move *)
}.

Arguments mover {g}.
Arguments over {g}.
Arguments moves {g}.

Inductive ensures {g : game} (p : player) (G : result -> Prop) : position g -> Prop :=
| at_end x r : over x = Some r -> G r -> ensures p G x
| own_move x y : over x = None -> mover x = p -> In y (moves x) -> ensures p G y -> ensures p G x
| any_reply x : over x = None -> mover x = other p -> (forall y, In y (moves x) -> ensures p G y) -> ensures p G x.

(** Player [p] wins: she can make sure that the result is her win. *)
Definition wins {g : game} (p : player) (x : position g) : Prop := ensures p (fun r => r = Won p) x.

(** Player [p] does not lose. *)
Definition safe {g : game} (p : player) (x : position g) : Prop := ensures p (fun r => r <> Won (other p)) x.

Definition drawn {g : game} (x : position g) : Prop := safe One x /\ safe Two x.

(** A game ends if every move makes a number smaller and somebody can move wherever it is not over. *)
Definition finite (g : game) (rank : position g -> nat) : Prop :=
  forall x : position g, over x = None -> moves x <> [] /\ (forall y, In y (moves x) -> rank y < rank x).

(** * In a finite game exactly one thing is true: One wins, Two wins, or it is a draw. *)

Lemma other_other p : other (other p) = p.
Proof. destruct p; reflexivity. Qed.

Lemma other_neq p : other p <> p.
Proof. destruct p; discriminate. Qed.

Lemma mover_cases {g : game} p (x : position g) : mover x = p \/ mover x = other p.
Proof. destruct (mover x), p; auto. Qed.

Lemma ensures_weaker {g : game} p (G H : result -> Prop) (x : position g) :
  (forall r, G r -> H r) -> ensures p G x -> ensures p H x.
Proof.
  intros GH E. induction E.
  - eapply at_end; eauto.
  - eapply own_move; eauto.
  - apply any_reply; auto.
Qed.

(** Not both players can have their way. *)
Lemma ensures_exclusive {g : game} rank (F : finite g rank) p (G H : result -> Prop) (x : position g) :
  (forall r, ~ (G r /\ H r)) -> ensures p G x -> ensures (other p) H x -> False.
Proof.
  intros D E. induction E as [x r O Gr | x y O M I _ IH | x O M _ IH]; intros E'.
  - inversion E' as [? s O' Hs | ? ? O' | ? O']; subst; try congruence.
    rewrite O in O'. injection O' as <-. eapply D; eauto.
  - inversion E' as [? s O' | ? ? O' M' | ? O' M' A]; subst; try congruence.
    + destruct (mover x); discriminate.
    + apply IH, A, I.
  - inversion E' as [? s O' | ? y O' M' I' E'' | ? O' M' A]; subst; try congruence.
    + exact (IH y I' E'').
    + rewrite M in M'. destruct p; discriminate.
Qed.

(** One of the players has her way, whatever the goal. *)
Lemma ensures_determined {g : game} rank (F : finite g rank) p (G : result -> Prop) :
  (forall r, G r \/ ~ G r) -> forall x : position g, ensures p G x \/ ensures (other p) (fun r => ~ G r) x.
Proof.
  intros D x. remember (rank x) as n eqn:E. revert x E.
  induction n as [n IH] using lt_wf_ind. intros x ->.
  destruct (over x) as [r|] eqn:O.
  - destruct (D r); [left | right]; eapply at_end; eauto.
  - destruct (F x O) as [_ R].
    assert (A : forall y, In y (moves x) -> ensures p G y \/ ensures (other p) (fun r => ~ G r) y)
      by (intros y I; eapply IH; eauto).
    assert (S : (exists y, In y (moves x) /\ ensures p G y)
                \/ (forall y, In y (moves x) -> ensures (other p) (fun r => ~ G r) y)).
    { clear R. induction (moves x) as [|y l IHl]; [right; contradiction|].
      destruct IHl as [[z [I Z]] | N]; [intros; apply A; now right | left; exists z; split; [now right | exact Z] |].
      destruct (A y (or_introl eq_refl)) as [Y|Y]; [left; exists y; split; [now left | exact Y] |].
      right. intros z [<-|I]; auto. }
    assert (T : (forall y, In y (moves x) -> ensures p G y)
                \/ (exists y, In y (moves x) /\ ensures (other p) (fun r => ~ G r) y)).
    { clear R S. induction (moves x) as [|y l IHl]; [left; contradiction|].
      destruct IHl as [N | [z [I Z]]]; [intros; apply A; now right | | right; exists z; split; [now right | exact Z]].
      destruct (A y (or_introl eq_refl)) as [Y|Y]; [| right; exists y; split; [now left | exact Y]].
      left. intros z [<-|I]; auto. }
    destruct (mover_cases p x) as [M|M].
    + destruct S as [[y [I Y]] | N]; [left; eapply own_move; eauto |].
      right. apply any_reply; auto. now rewrite other_other.
    + destruct T as [N | [y [I Y]]]; [left; apply any_reply; auto | right; eapply own_move; eauto].
Qed.

Theorem one_result {g : game} rank (F : finite g rank) (x : position g) :
  (wins One x \/ wins Two x \/ drawn x)
  /\ ~ (wins One x /\ wins Two x) /\ ~ (wins One x /\ drawn x) /\ ~ (wins Two x /\ drawn x).
Proof.
  assert (D : forall p r, r = Won p \/ r <> Won p).
  { intros p r. destruct r as [q|]; [destruct p, q; auto; right; discriminate | right; discriminate]. }
  repeat split.
  - destruct (ensures_determined rank F One _ (D One) x) as [A|A]; [now left|].
    destruct (ensures_determined rank F Two _ (D Two) x) as [B|B]; [now right; left|].
    right; right. split; assumption.
  - intros [A B]. refine (ensures_exclusive rank F One _ _ x _ A B). intros r [-> C]; discriminate.
  - intros [A [_ B]]. refine (ensures_exclusive rank F One _ _ x _ A B). intros r [-> C]; now apply C.
  - intros [A [B _]]. refine (ensures_exclusive rank F Two _ _ x _ A B). intros r [-> C]; now apply C.
Qed.

(** * Brute force: the result, computed. *)

Definition is_won (p : player) (r : result) : bool :=
  match p, r with One, Won One => true | Two, Won Two => true | _, _ => false end.

Definition is_draw (r : result) : bool := match r with Draw => true | _ => false end.

(** The best result for [p] among positions, given what each is worth; a win ends the search. *)
Fixpoint best {A} (p : player) (worth : A -> result) (l : list A) : result :=
  match l with
  | [] => Won (other p)
  | y :: l => let r := worth y in
              if is_won p r then r else if is_draw r then (if is_won p (best p worth l) then Won p else r) else best p worth l
  end.

Fixpoint value {g : game} (fuel : nat) (x : position g) : result :=
  match over x, fuel with
  | Some r, _ => r
  | None, 0 => Draw
  | None, S fuel => best (mover x) (value fuel) (moves x)
  end.

Definition has_result {g : game} (x : position g) (r : result) : Prop :=
  match r with Won p => wins p x | Draw => drawn x end.

Lemma is_won_eq p r : is_won p r = true <-> r = Won p.
Proof. destruct p, r as [[]|]; simpl; split; congruence. Qed.

Lemma wins_safe {g : game} p (x : position g) : wins p x -> safe p x.
Proof. apply ensures_weaker. intros r -> C. injection C. intros C'. now apply (other_neq p). Qed.

Lemma best_exists {A} p (worth : A -> result) l :
  best p worth l = if existsb (is_won p) (map worth l) then Won p
                   else if existsb is_draw (map worth l) then Draw else Won (other p).
Proof.
  induction l as [|y l IH]; simpl; auto. rewrite IH. destruct (is_won p (worth y)) eqn:W; simpl.
  - now apply is_won_eq.
  - destruct (worth y) as [q|]; simpl; auto.
    destruct (existsb (is_won p) _); [destruct p; auto|]. destruct (existsb is_draw _); destruct p; auto.
Qed.

Theorem value_correct {g : game} rank (F : finite g rank) (x : position g) fuel :
  rank x <= fuel -> has_result x (value fuel x).
Proof.
  revert x. induction fuel as [|fuel IH]; intros x L.
  - simpl. destruct (over x) as [r|] eqn:O.
    + destruct r as [p|]; simpl; [eapply at_end; eauto|]. split; eapply at_end; eauto; discriminate.
    + destruct (F x O) as [N R]. destruct (moves x) as [|y l] eqn:M; [easy|].
      specialize (R y (or_introl eq_refl)). lia.
  - cbn [value]. destruct (over x) as [r|] eqn:O.
    + destruct r as [p|]; simpl; [eapply at_end; eauto|]. split; eapply at_end; eauto; discriminate.
    + destruct (F x O) as [N R]. rewrite best_exists.
      assert (V : forall y, In y (moves x) -> has_result y (value fuel y)).
      { intros y I. apply IH. specialize (R y I). lia. }
      destruct (existsb (is_won (mover x)) _) eqn:W.
      * apply existsb_exists in W. destruct W as [r [I W]]. apply is_won_eq in W. subst r.
        apply in_map_iff in I. destruct I as [y [Vy I]]. specialize (V y I). rewrite Vy in V.
        simpl. eapply own_move; eauto.
      * assert (NW : forall y, In y (moves x) -> value fuel y <> Won (mover x)).
        { intros y I C. apply (Bool.eq_true_false_abs _ eq_refl). rewrite <- W. symmetry.
          apply existsb_exists. exists (value fuel y). split; [now apply in_map | now apply is_won_eq]. }
        assert (SafeAll : forall y, In y (moves x) -> safe (other (mover x)) y).
        { intros y I. specialize (V y I). specialize (NW y I).
          destruct (value fuel y) as [q|]; simpl in V.
          - apply wins_safe. destruct (mover x), q; try congruence; exact V.
          - destruct V. destruct (mover x); assumption. }
        destruct (existsb is_draw _) eqn:DR.
        -- apply existsb_exists in DR. destruct DR as [r [I W']]. destruct r; [discriminate|].
           apply in_map_iff in I. destruct I as [y [Vy I]]. specialize (V y I). rewrite Vy in V. destruct V as [V1 V2].
           assert (S1 : safe (mover x) x) by (eapply own_move; eauto; destruct (mover x); assumption).
           assert (S2 : safe (other (mover x)) x).
           { apply any_reply; auto. now rewrite other_other. }
           simpl. split; destruct (mover x); assumption.
        -- simpl. apply any_reply; auto; [now rewrite other_other|].
           intros y I. specialize (V y I). specialize (NW y I).
           destruct (value fuel y) as [q|] eqn:Vy; simpl in V.
           ++ destruct (mover x), q; try congruence; exact V.
           ++ exfalso. apply (Bool.eq_true_false_abs _ eq_refl). rewrite <- DR. symmetry.
              apply existsb_exists. exists Draw. split; [|reflexivity]. rewrite <- Vy. now apply in_map.
Qed.
