(** Strong games (FORMAT.md 9): the checker of strategies that are read in the order of play, and its theorem. *)

From Coq Require Import NArith Arith List Bool Lia FMapPositive.
From Zermelo Require Import Rules Sets Positional Zones Play Bytes Records RecordsTrue Claims Alike Normal Steal.
Import ListNotations.
Open Scope N_scope.

(** * The checker *)

Definition single (s : N) : bool := negb (s =? 0) && (s =? N.setbit 0 (N.log2 s)).

(** The cells with which the owner of [own] completes an edge at once. *)
Definition completions (b : board) (own opposing : N) : N :=
  fold_right (fun e acc => let rest := N.ldiff e own in
                           if (N.land e opposing =? 0) && single rest then N.lor rest acc else acc) 0 (edges b).

Fixpoint less (a b : list N) : bool :=
  match a, b with
  | x :: a, y :: b => (x <? y) || ((x =? y) && less a b)
  | _, _ => false
  end.

(** The least image; two positions with the same one, and as many free cells on no live edge, are alike. *)
Definition normal (t : tables) (x : marking) : list N :=
  match symmetries t with
  | [] => []
  | s :: l => fold_left (fun best s => let i := image_parts t s x in if less i best then i else best) l (image_parts t s x)
  end.

(** Positions proved before, by the first number of the normal form. *)
Definition memory := PositiveMap.t (list (list N * nat)).

Definition same_form (a b : list N * nat) : bool :=
  (if list_eq_dec N.eq_dec (fst a) (fst b) then true else false) && (Nat.eqb (snd a) (snd b)).

Definition form (t : tables) (x : marking) : list N * nat := (normal t x, length (dead_free (on t) x)).

Definition place_of (f : list N * nat) : positive := N.succ_pos (nth 0 (fst f) 0 + N.shiftl (nth 1 (fst f) 0) 1).

Definition entries (m : memory) (f : list N * nat) : list (list N * nat) :=
  match PositiveMap.find (place_of f) m with Some l => l | None => [] end.

Definition known (m : memory) (f : list N * nat) : bool := existsb (same_form f) (entries m f).

Definition keep (m : memory) (f : list N * nat) : memory := PositiveMap.add (place_of f) (f :: entries m f) m.

Fixpoint for_each {A} (cs : list N) (step : N -> A -> reader A) (a : A) : reader A :=
  match cs with
  | [] => ret a
  | c :: cs => b <- step c a ;; for_each cs step b
  end.

(** The moves of the opponent that must be answered. *)
Definition replies (b : board) (x : marking) : list N :=
  filter (N.testbit (live_cells b x)) (free_cells b x) ++ firstn 1 (dead_free b x).

Section Strategy.
  Variables (t : tables) (p : player) (to_win : bool) (base : option store).
  Let b := on t.

  (** The hero p is to move. *)
  Definition hero_moves (others : marking -> memory -> reader memory) (x : marking) (m : memory) : reader memory :=
    if full b x then (if to_win then reject else ret m)
    else
      c <- read_cell t ;; require (is_free x c) ;;;
      if N.testbit (completions b (marks p x) (marks (other p) x)) c then ret m else others (mark x c) m.

  (** A claim that the hero only blocks, which must hold here. *)
  Definition blocks_here (x : marking) (c : claim) : reader unit :=
    require ((N.land (zone c) (N.lor (of_one x) (of_two x)) =? 0) && subset (need c) (edges_hit b (marks p x))).

  Definition base_claim (s : store) : reader claim :=
    i <- varint ;; well_formed ((1 <=? i) && (i <=? snd s)) ;;;
    match PositiveMap.find (N.succ_pos (i - 1)) (fst s) with
    | None => malformed
    | Some c =>
        k <- number_below (N.of_nat (length (symmetries t))) ;;
        match nth_error (symmetries t) (N.to_nat k) with Some sym => ret (seen_through t Two sym c) | None => malformed end
    end.

  (** The opponent is to move. *)
  Fixpoint other_moves (fuel : nat) (x : marking) (m : memory) : reader memory :=
    match fuel with
    | O => malformed
    | S fuel =>
        if full b x then (if to_win then reject else ret m)
        else if negb (completions b (marks (other p) x) (marks p x) =? 0) then reject
        else
          let threats := completions b (marks p x) (marks (other p) x) in
          if negb (threats =? 0) then
            if single threats then hero_moves (other_moves fuel) (mark x (N.log2 threats)) m else ret m
          else
            tag <- read_byte ;;
            if 16 <=? tag then unproved else (* wins by threats are not proved here *)
            match tag with
            | 0 => for_each (replies b x) (fun c m => hero_moves (other_moves fuel) (mark x c) m) m
            | 1 => m <- for_each (replies b x) (fun c m => hero_moves (other_moves fuel) (mark x c) m) m ;;
                   ret (keep m (form t x))
            | 2 => require (known m (form t x)) ;;; ret m
            | 3 => if to_win then malformed else
                   n <- number_below (cells b / 2 + 1) ;;
                   c <- repeat (N.to_nat n) (add_pair t) (Claim (all_edges t) 0) ;; blocks_here x c ;;; ret m
            | 4 => match base with
                   | Some s => if to_win then malformed else c <- base_claim s ;; blocks_here x c ;;; ret m
                   | None => malformed
                   end
            | _ => malformed
            end
    end.

  Definition strategy (x : marking) : reader memory :=
    let others := other_moves (S (S (N.to_nat (cells b)))) in
    if same_player (turn x) p then hero_moves others x (PositiveMap.empty _) else others x (PositiveMap.empty _).
End Strategy.

(** The position as the hero sees it who only blocks: she is Two. *)
Definition as_breaker (p : player) (x : marking) : marking := match p with Two => x | One => exchanged x end.

(** One player's half of a draw. *)
Definition check_half (t : tables) (p : player) (x : marking) : reader unit := fun bytes =>
  (kind <- number_below 3 ;;
   match kind with
   | 0 => strategy t p false None x ;;; ret tt
   | 1 => check_records t Two (as_breaker p x)
   | _ => s <- records t Two (count bytes) (PositiveMap.empty claim, 0) ;; strategy t p false (Some s) x ;;; ret tt
   end) bytes.

Definition is_starting (p : player) (x : marking) : bool := same_player (turn x) p && (of_one x =? 0) && (of_two x =? 0).

Definition check_safe (t : tables) (p : player) (x : marking) : reader unit :=
  if is_starting p x then ret tt else check_half t p x.

Definition result_of (n : N) : result := match n with 0 => Won One | 1 => Won Two | _ => Draw end.

Record strong_statement := StrongStatement { strong_place : shape; strong_start : marking; outcome_of : result }.

Definition strong_holds (s : strong_statement) : Prop :=
  @has_result (strong (board_of (strong_place s))) (strong_start s) (outcome_of s).

Definition check_strong (read_shape : reader shape) : reader strong_statement :=
  sh <- read_shape ;;
  x <- read_marking (board_of sh) ;;
  w <- number_below 3 ;;
  well_formed (negb (holds_edge (board_of sh) (of_one x)) && negb (holds_edge (board_of sh) (of_two x))) ;;;
  match make_tables sh with
  | None => malformed
  | Some t =>
      match result_of w with
      | Won p => strategy t p true None x ;;; ret tt
      | Draw => check_safe t One x ;;; check_safe t Two x
      end ;;;
      end_of_payload ;;; ret (StrongStatement sh x (result_of w))
  end.

(** * Its theorem *)

Lemma single_spec s c : single s = true -> has s c <-> c = N.log2 s.
Proof.
  unfold single. rewrite andb_true_iff, N.eqb_eq. intros [_ E]. rewrite E at 1. rewrite has_set. split; [|auto].
  intros [H|H]; auto. now apply has_0 in H.
Qed.

Lemma single_complete s c : (forall d, has s d <-> d = c) -> single s = true.
Proof.
  intros H. assert (E : s = N.setbit 0 c).
  { apply sets_equal. intros d. rewrite has_set, H. split; auto. intros [X|X]; auto. now apply has_0 in X. }
  assert (N0 : s <> 0) by (intros Z; apply (has_0 c); rewrite <- Z; now apply H).
  assert (L : N.log2 s = c) by (apply H; unfold has; now apply N.bit_log2).
  unfold single. rewrite andb_true_iff, negb_true_iff, N.eqb_neq, N.eqb_eq, L. auto.
Qed.

Lemma completions_spec b own opp c : has (completions b own opp) c <->
  exists e, In e (edges b) /\ apart e opp /\ has e c /\ ~ has own c /\ forall d, has e d -> d = c \/ has own d.
Proof.
  unfold completions. induction (edges b) as [|e es IH]; simpl.
  - split; [intros H; now apply has_0 in H | intros [e [[] _]]].
  - assert (R : (has (if (N.land e opp =? 0) && single (N.ldiff e own) then N.lor (N.ldiff e own)
        (fold_right (fun e acc => if (N.land e opp =? 0) && single (N.ldiff e own) then N.lor (N.ldiff e own) acc else acc) 0 es)
        else fold_right (fun e acc => if (N.land e opp =? 0) && single (N.ldiff e own) then N.lor (N.ldiff e own) acc else acc) 0 es) c)
      <-> (apart e opp /\ has e c /\ ~ has own c /\ forall d, has e d -> d = c \/ has own d)
          \/ has (fold_right (fun e acc => if (N.land e opp =? 0) && single (N.ldiff e own) then N.lor (N.ldiff e own) acc else acc) 0 es) c).
    { destruct ((N.land e opp =? 0) && single (N.ldiff e own)) eqn:B.
      - apply andb_true_iff in B. destruct B as [B1 B2]. apply N.eqb_eq, apart_land in B1. rewrite has_lor. split.
        + intros [H|H]; auto. left. assert (H' := H). apply has_ldiff in H'. split; auto. split; [tauto|]. split; [tauto|].
          intros d D. destruct (has_dec own d) as [O|O]; auto. left.
          assert (X : has (N.ldiff e own) d) by (rewrite has_ldiff; auto).
          apply (single_spec _ d B2) in X. apply (single_spec _ c B2) in H. congruence.
        + intros [[_ [H [H1 _]]]|H]; auto. left. rewrite has_ldiff. auto.
      - split; auto. intros [[H [H1 [H2 H3]]]|H]; auto. exfalso. apply andb_false_iff in B. destruct B as [B|B].
        + apply N.eqb_neq in B. now apply B, apart_land.
        + assert (S : single (N.ldiff e own) = true); [|congruence]. apply single_complete with c. intros d. rewrite has_ldiff.
          split; [intros [D1 D2]; destruct (H3 d D1); tauto | intros ->; auto]. }
    rewrite R, IH. split.
    + intros [H | [f [I H]]]; [exists e; tauto | exists f; tauto].
    + intros [f [[<-|I] H]]; [left; tauto | right; exists f; tauto].
Qed.

Lemma for_each_ok {A} (P : A -> Prop) (Q : N -> Prop) (step : N -> A -> reader A) cs :
  (forall c a s b t, In c cs -> P a -> step c a s = Ok (b, t) -> P b /\ Q c) ->
  forall a s b t, P a -> for_each cs step a s = Ok (b, t) -> P b /\ forall c, In c cs -> Q c.
Proof.
  induction cs as [|c cs IH]; simpl; intros H a s r u Pa E.
  - injection E as <- _. split; auto. intros c [].
  - apply bind_ok in E. destruct E as [a' [v [E1 E2]]]. destruct (H c a s a' v (or_introl eq_refl) Pa E1) as [Pa' Qc].
    apply IH in E2; auto; [|intros; eapply H; eauto]. destruct E2 as [Pr Qs]. split; auto. intros d [<-|I]; auto.
Qed.

Lemma normal_image t x : symmetries t <> [] -> exists s, In s (symmetries t) /\ normal t x = image_parts t s x.
Proof.
  unfold normal. destruct (symmetries t) as [|s l]; [easy|]. intros _.
  assert (H : forall l' i, (exists s', In s' (s :: l) /\ i = image_parts t s' x) -> incl l' (s :: l) ->
    exists s', In s' (s :: l) /\ fold_left (fun best s => let i := image_parts t s x in if less i best then i else best) l' i
                                 = image_parts t s' x).
  { induction l' as [|s' l' IH]; intros i E I; cbn [fold_left]; auto. apply IH; [|intros a Ia; apply I; now right].
    cbv zeta. destruct (less (image_parts t s' x) i); auto. exists s'. split; auto. apply I. now left. }
  apply H; [exists s; split; auto; now left | intros a Ia; now right].
Qed.

Section Soundness.
  Variables (t : tables) (p : player) (to_win : bool) (base : option store).
  Hypothesis T : sound_tables t.
  Hypothesis some_symmetry : symmetries t <> [].
  Hypothesis base_true : forall s, base = Some s -> all_proved (on t) Two s.
  Let b := on t.
  Let g := strong b.

  Definition wanted (r : result) : Prop := if to_win then r = Won p else r <> Won (other p).

  Lemma wanted_won : wanted (Won p).
  Proof. unfold wanted. destruct to_win; auto. intros [= E]. symmetry in E. now apply other_neq in E. Qed.

  Lemma wanted_safe (x : position g) : to_win = false -> safe p x -> ensures p wanted x.
  Proof. intros W S. apply ensures_weaker with (2 := S). intros r. unfold wanted. now rewrite W. Qed.

  (** Where the opponent has no edge. *)
  Definition harmless (x : marking) : Prop := valid x /\ holds_edge b (marks (other p) x) = false.

  Lemma harmless_over x r : harmless x -> over (g := g) x = Some r -> r = Won p \/ (r = Draw /\ full b x = true).
  Proof.
    intros [_ H] O. simpl in O. destruct p; simpl in H; rewrite ?H in O;
    repeat match type of O with context [if ?c then _ else _] => destruct c eqn:? end; try discriminate; injection O as <-; auto.
  Qed.

  Lemma harmless_mark x c : harmless x -> turn x = p -> free b x c -> harmless (mark x c).
  Proof.
    intros [V H] Tx F. split; [now apply (valid_mark b)|]. rewrite <- H. apply holds_edge_same. intros d.
    rewrite marks_mark, Tx. split; auto. intros [D | [_ D]]; auto. symmetry in D. now apply other_neq in D.
  Qed.

  Lemma completes x c : harmless x -> turn x = p -> free b x c ->
    has (completions b (marks p x) (marks (other p) x)) c -> ensures (g := g) p wanted (mark x c).
  Proof.
    intros H Tx F C. apply at_end with (Won p); [|apply wanted_won].
    destruct (harmless_mark x c H Tx F) as [V N]. apply over_won.
    - unfold sane. destruct p; simpl in N; rewrite N; intros []; discriminate.
    - apply holds_edge_spec. apply completions_spec in C. destruct C as [e [I [_ [_ [_ A]]]]]. exists e. split; auto.
      intros d D. rewrite marks_mark. destruct (A d D) as [->|O]; auto.
  Qed.

  Definition memory_true (m : memory) : Prop :=
    forall f, In f (entries m f) -> exists x : position g, f = form t x /\ valid x /\ turn x = other p /\ ensures p wanted x.

  Definition others_true (others : marking -> memory -> reader memory) : Prop :=
    forall x m bytes m' rest, turn x = other p -> harmless x -> memory_true m -> others x m bytes = Ok (m', rest) ->
    memory_true m' /\ ensures (g := g) p wanted x.

  Lemma hero_true others x m bytes m' rest : others_true others -> turn x = p -> harmless x -> memory_true m ->
    hero_moves t p to_win others x m bytes = Ok (m', rest) -> memory_true m' /\ ensures (g := g) p wanted x.
  Proof.
    intros Ot Tx H M E. unfold hero_moves in E. fold b in E. destruct (full b x) eqn:F.
    - destruct to_win eqn:W; [discriminate|]. injection E as <- _. split; auto.
      destruct (over (g := g) x) as [r|] eqn:O.
      + apply at_end with r; auto. destruct (harmless_over x r H O) as [-> | [-> _]]; [apply wanted_won|].
        unfold wanted. rewrite W. discriminate.
      + simpl in O. rewrite F in O. destruct (holds_edge b (of_one x)), (holds_edge b (of_two x)); discriminate.
    - apply bind_ok in E. destruct E as [c [s1 [C E]]]. apply bind_ok in E. destruct E as [u [s2 [R E]]].
      apply number_below_ok in C. apply require_ok in R.
      assert (Fc : free b x c) by (unfold free, free_cells; rewrite filter_In, in_up_to; auto).
      assert (G : memory_true m' /\ ensures (g := g) p wanted (mark x c)).
      { destruct (N.testbit _ c) eqn:Cc.
        - injection E as <- _. split; auto. now apply completes.
        - apply Ot in E; auto; [now rewrite turn_mark, Tx | now apply harmless_mark]. }
      destruct G as [M' S]. split; auto. destruct (over (g := g) x) as [r|] eqn:O.
      + apply at_end with r; auto. destruct (harmless_over x r H O) as [-> | [_ F']]; [apply wanted_won | congruence].
      + apply own_move with (mark x c); auto. now apply in_map.
  Qed.

  Lemma blocks_secures x c bytes u rest : turn x = other p -> valid x -> proved b Two c ->
    blocks_here t p x c bytes = Ok (u, rest) -> to_win = false -> ensures (g := g) p wanted x.
  Proof.
    intros Tx V P E W. apply require_ok, andb_true_iff in E. destruct E as [E1 E2].
    apply N.eqb_eq, apart_land in E1. apply subset_inside in E2. apply wanted_safe; auto.
    apply (blocking_safe b p x); auto. split.
    - intros d D1 D2. destruct p; simpl in *; now apply (V d).
    - exists (zone c), (marks p x). split; [now apply (proved_secures b Two)|]. split; [intros d; auto|].
      intros d D. apply (in_free_marks _ _ _ p). destruct P as [Z _]. split; [now apply Z|].
      split; intros D'; apply (E1 d D); rewrite has_lor; destruct p; simpl in D'; auto.
  Qed.

  Lemma known_true x m : memory_true m -> turn x = other p -> valid x -> known m (form t x) = true ->
    ensures (g := g) p wanted x.
  Proof.
    intros M Tx V K. unfold known in K. apply existsb_exists in K. destruct K as [f [I S]].
    unfold same_form in S. apply andb_true_iff in S. destruct S as [S1 S2]. apply Nat.eqb_eq in S2.
    destruct (list_eq_dec _ _ _) as [S1'|]; [|discriminate]. assert (f = form t x) by (rewrite (surjective_pairing f), <- S1', <- S2; reflexivity).
    subst f. destruct (M _ I) as [y [Fy [Vy [Ty Sy]]]]. injection Fy as N0 L.
    destruct (normal_image t x some_symmetry) as [s1 [I1 N1]]. destruct (normal_image t y some_symmetry) as [s2 [I2 N2]].
    apply (alike_ensures b p wanted y x); auto.
    apply (normal_alike t s2 s1); auto using (symmetries_sound t T).
    - apply (edges_inside t T).
    - congruence.
    - congruence.
  Qed.

  Lemma keep_true x m : memory_true m -> turn x = other p -> valid x -> ensures (g := g) p wanted x ->
    memory_true (keep m (form t x)).
  Proof.
    intros M Tx V S f I. unfold keep, entries in I. destruct (Pos.eq_dec (place_of f) (place_of (form t x))) as [E|E].
    - rewrite E, PositiveMap.gss in I. destruct I as [<-|I]; [exists x; auto|]. apply M. unfold entries in *. now rewrite E.
    - rewrite PositiveMap.gso in I; auto.
  Qed.

  Lemma live_spec_dead x c e : In e (edges b) -> live x e -> has e c -> has (live_cells b x) c.
  Proof. intros. apply live_cells_spec. eauto. Qed.

  (** Answers to the listed replies are answers to all. *)
  Lemma replies_enough x : valid x -> (forall c, In c (replies b x) -> ensures (g := g) p wanted (mark x c)) ->
    forall c, free b x c -> ensures (g := g) p wanted (mark x c).
  Proof.
    intros V H c F. destruct (has_dec (live_cells b x) c) as [L|L].
    - apply H. unfold replies. apply in_or_app. left. apply filter_In. auto.
    - assert (D : In c (dead_free b x)).
      { unfold dead_free. apply filter_In. split; auto. unfold has in L. now destruct (N.testbit _ c). }
      destruct (dead_free b x) as [|d l] eqn:E; [easy|].
      assert (Id : In d (dead_free b x)) by (rewrite E; now left). unfold dead_free in Id. apply filter_In in Id.
      destruct Id as [Fd Ld]. apply negb_true_iff in Ld.
      apply (alike_ensures b p wanted (mark x d)); try now apply (valid_mark b).
      + apply H. unfold replies. apply in_or_app. right. rewrite E. now left.
      + apply dead_alike; auto. intros e I Le. split; intros X; apply (live_spec_dead x _ e I Le) in X; auto.
        unfold has in X. congruence.
  Qed.

  Lemma harmless_reply x c : harmless x -> turn x = other p -> free b x c -> completions b (marks (other p) x) (marks p x) = 0 ->
    harmless (mark x c).
  Proof.
    intros [V H] Tx F Z. split; [now apply (valid_mark b)|].
    destruct (holds_edge b (marks (other p) (mark x c))) eqn:E; auto. exfalso.
    apply holds_edge_spec in E. destruct E as [e [I J]]. apply (has_0 c). rewrite <- Z. apply completions_spec.
    apply (free_spec p) in F.
    assert (J' : forall d, has e d -> d = c \/ has (marks (other p) x) d).
    { intros d' D'. specialize (J d' D'). apply marks_mark in J. tauto. }
    assert (Hc : has e c).
    { destruct (has_dec e c); auto. exfalso. enough (holds_edge b (marks (other p) x) = true) by congruence.
      apply holds_edge_spec. exists e. split; auto. intros d' D'. destruct (J' d' D'); auto. subst. tauto. }
    exists e. repeat split; auto; [|tauto]. intros d' D1 D2. destruct (J' d' D1) as [->|X]; [tauto|].
    destruct p; simpl in *; now apply (V d').
  Qed.

  Lemma threat_answered x c d : harmless x -> turn x = other p -> free b x c -> completions b (marks (other p) x) (marks p x) = 0 ->
    has (completions b (marks p x) (marks (other p) x)) d -> d <> c -> ensures (g := g) p wanted (mark x c).
  Proof.
    intros H Tx F Z D Nd. assert (Hy := harmless_reply x c H Tx F Z). destruct H as [V _].
    assert (Fd : free b (mark x c) d).
    { apply free_after. split; auto. apply completions_spec in D. destruct D as [e [I [A [Hd [No _]]]]].
      apply (free_spec p). split; [now apply (edges_inside t T e I)|]. split; auto. intros X. exact (A _ Hd X). }
    assert (Ty : turn (mark x c) = p) by now rewrite turn_mark, Tx, other_other.
    assert (Cd : has (completions b (marks p (mark x c)) (marks (other p) (mark x c))) d).
    { apply completions_spec. apply completions_spec in D. destruct D as [e [I [A [Hd [No J]]]]]. exists e. split; auto.
      destruct (has_dec e c) as [Hc|Hc].
      - exfalso. destruct (J c Hc) as [E|E]; [congruence|]. apply (free_spec p) in F. tauto.
      - split; [|split; [auto|split]].
        + intros d' D1 D2. apply marks_mark in D2. destruct D2 as [D2 | [-> _]]; auto. now apply (A d').
        + rewrite marks_mark, Tx. intros [E | [_ E]]; auto. now apply other_neq in E.
        + intros d' D'. rewrite marks_mark. destruct (J d' D'); auto. }
    destruct (over (g := g) (mark x c)) as [r|] eqn:O.
    - apply at_end with r; auto. destruct (harmless_over _ _ Hy O) as [-> | [_ Fl]]; [apply wanted_won|].
      exfalso. apply (proj1 (full_spec b _) Fl d Fd).
    - apply own_move with (mark (mark x c) d); auto; [now apply in_map | now apply completes].
  Qed.

  Theorem other_true fuel : others_true (other_moves t p to_win base fuel).
  Proof.
    induction fuel as [|fuel IH]; intros x m bytes m' rest Tx H M E; [discriminate|].
    cbn [other_moves] in E. fold b in E. destruct (full b x) eqn:F.
    - destruct to_win eqn:W; [discriminate|]. injection E as <- _. split; auto.
      destruct (over (g := g) x) as [r|] eqn:O.
      + apply at_end with r; auto. destruct (harmless_over x r H O) as [-> | [-> _]]; [apply wanted_won|].
        unfold wanted. rewrite W. discriminate.
      + simpl in O. rewrite F in O. destruct (holds_edge b (of_one x)), (holds_edge b (of_two x)); discriminate.
    - destruct (negb (completions b (marks (other p) x) (marks p x) =? 0)) eqn:Z; [discriminate|].
      apply negb_false_iff, N.eqb_eq in Z.
      assert (V : valid x) by apply H.
      (* It is enough to answer all replies. *)
      assert (answers : (forall c, free b x c -> ensures (g := g) p wanted (mark x c)) -> ensures (g := g) p wanted x).
      { intros A. destruct (over (g := g) x) as [r|] eqn:O.
        - apply at_end with r; auto. destruct (harmless_over x r H O) as [-> | [_ F']]; [apply wanted_won | congruence].
        - apply any_reply; auto. intros y I. apply in_map_iff in I. destruct I as [c [<- I]]. now apply A. }
      assert (hero : forall c m s m' u, free b x c -> memory_true m ->
        hero_moves t p to_win (other_moves t p to_win base fuel) (mark x c) m s = Ok (m', u) ->
        memory_true m' /\ ensures (g := g) p wanted (mark x c)).
      { intros c n s n' u Fc Mn En. eapply hero_true; eauto; [now rewrite turn_mark, Tx, other_other | now apply harmless_reply]. }
      set (threats := completions b (marks p x) (marks (other p) x)) in *.
      destruct (negb (threats =? 0)) eqn:Th.
      + apply negb_true_iff, N.eqb_neq in Th. destruct (single threats) eqn:S.
        * assert (Ht : has threats (N.log2 threats)) by now apply single_spec.
          assert (Ft : free b x (N.log2 threats)).
          { apply completions_spec in Ht. destruct Ht as [e [I [A [Hd [No _]]]]].
            apply (free_spec p). split; [now apply (edges_inside t T e I)|]. split; auto. intros X. exact (A _ Hd X). }
          destruct (hero _ _ _ _ _ Ft M E) as [M' S']. split; auto. apply answers. intros c Fc.
          destruct (N.eq_dec c (N.log2 threats)) as [->|Nc]; auto.
          apply threat_answered with (N.log2 threats); auto.
        * injection E as <- _. split; auto. apply answers. intros c Fc.
          assert (D : exists d, has threats d /\ d <> c).
          { destruct (has_some threats Th) as [d Hd]. destruct (N.eq_dec d c) as [->|Nd]; [|eauto].
            destruct (N.eq_dec (N.clearbit threats c) 0) as [Y|Y].
            - exfalso. rewrite (single_complete threats c) in S; [discriminate|]. intros e. split; [|intros ->; auto].
              intros He. destruct (N.eq_dec e c); auto. exfalso. apply (has_0 e). rewrite <- Y, has_clear. auto.
            - destruct (has_some _ Y) as [e He]. apply has_clear in He. eauto. }
          destruct D as [d [D1 D2]]. now apply threat_answered with d.
      + apply bind_ok in E. destruct E as [tag [s1 [_ E]]].
        assert (all : forall m1, for_each (replies b x)
            (fun c m => hero_moves t p to_win (other_moves t p to_win base fuel) (mark x c) m) m s1 = Ok m1 ->
            memory_true (fst m1) /\ ensures (g := g) p wanted x).
        { intros [m1 u] E1. apply (for_each_ok memory_true (fun c => ensures (g := g) p wanted (mark x c))) in E1; auto.
          - destruct E1 as [M1 A]. split; auto. apply answers. now apply replies_enough.
          - intros c a s a' u' I Ma Ea. apply hero in Ea; auto. unfold replies in I. apply in_app_or in I.
            destruct I as [I|I]; [now apply filter_In in I|].
            destruct (dead_free b x) as [|d l] eqn:Dd; [easy|]. destruct I as [<-|[]].
            assert (Id : In d (dead_free b x)) by (rewrite Dd; now left). now apply filter_In in Id. }
        destruct (16 <=? tag); [discriminate | destruct tag as [|[[[]| []|]|[[]|[]|]|]]; try discriminate].
        * (* ALL *) now apply all in E.
        * (* PAIRS *)
          destruct to_win eqn:W; [discriminate|]. apply bind_ok in E. destruct E as [n [s2 [_ E]]].
          apply bind_ok in E. destruct E as [c [s3 [R E]]]. apply bind_ok in E. destruct E as [u [s4 [B E]]].
          injection E as <- _. split; auto. eapply blocks_secures; eauto.
          refine (repeat_ok (proved (on t) Two) (add_pair t) _ _ _ _ _ _ (start_true t) R). intros; eapply pair_true; eauto.
        * (* BLOCK *)
          destruct base as [s|] eqn:Bs; [|discriminate]. destruct to_win eqn:W; [discriminate|].
          apply bind_ok in E. destruct E as [c [s2 [R E]]]. apply bind_ok in E. destruct E as [u [s4 [B E]]].
          injection E as <- _. split; auto. eapply blocks_secures; eauto.
          unfold base_claim in R. split_reads R. destruct (PositiveMap.find _ _) as [d|] eqn:Fd; [|discriminate].
          apply (base_true s eq_refl) in Fd. split_reads R. destruct (nth_error _ _) as [sym|] eqn:Sy; [|discriminate].
          injection R as <- _. apply seen_true; auto. now apply nth_error_In in Sy.
        * (* REF *)
          apply bind_ok in E. destruct E as [u [s2 [R E]]]. injection E as <- _. apply require_ok in R. split; auto.
          now apply known_true with m.
        * (* KEEP *)
          apply bind_ok in E. destruct E as [m1 [s2 [R E]]]. injection E as <- _. apply all in R. destruct R as [M1 S].
          split; auto. now apply keep_true.
  Qed.

  Theorem strategy_true x bytes m rest : harmless x -> strategy t p to_win base x bytes = Ok (m, rest) ->
    ensures (g := g) p wanted x.
  Proof.
    intros H E. unfold strategy in E.
    assert (M : memory_true (PositiveMap.empty _)).
    { intros f I. unfold entries in I. now rewrite PositiveMap.gempty in I. }
    destruct (same_player (turn x) p) eqn:Q.
    - apply same_player_eq in Q. apply hero_true in E; auto; [tauto | apply other_true].
    - apply other_true in E; auto; [tauto|]. destruct (turn x), p; simpl in Q; auto; discriminate.
  Qed.
End Soundness.

Lemma symmetries_there sh t : make_tables sh = Some t -> symmetries t <> [].
Proof.
  unfold make_tables. intros E. destruct (all_some _) as [syms|] eqn:A; [|discriminate].
  destruct (forallb _ _); [|discriminate]. injection E as <-. simpl. intros ->.
  apply all_some_nth in A. destruct A as [A _]. rewrite map_length in A.
  destruct sh as [m n k|v es]; simpl in A; [|discriminate]. destruct (m =? n); discriminate.
Qed.

Lemma secured_exchanged b W x : secured_from b Two W (exchanged x) -> secured_from b One W x.
Proof.
  intros [A [R [X [S [I F]]]]]. split; [exact A|]. exists R, X. split; auto. split; auto.
  intros c C. apply (free_exchanged b x c). now apply F.
Qed.

Lemma half_true t p (x : position (strong (on t))) bytes u rest : sound_tables t -> symmetries t <> [] ->
  harmless t p x -> check_half t p x bytes = Ok (u, rest) -> safe p x.
Proof.
  intros T N H E. unfold check_half in E. apply bind_ok in E. destruct E as [kind [s1 [_ E]]].
  assert (strat : forall base, (forall s, base = Some s -> all_proved (on t) Two s) -> forall s u v,
            strategy t p false base x s = Ok (u, v) -> safe p x).
  { intros base B s m v S. now apply (strategy_true t p false base T N B) in S. }
  destruct kind as [|[k|k|]].
  - apply bind_ok in E. destruct E as [m [s2 [S E]]]. apply (strat None) in S; auto. discriminate.
  - apply bind_ok in E. destruct E as [s [s2 [R E]]]. apply bind_ok in E. destruct E as [m [s3 [S E]]].
    apply (strat (Some s)) in S; auto. intros s' [= <-]. apply records_true in R; auto.
    intros i d F. now rewrite PositiveMap.gempty in F.
  - apply bind_ok in E. destruct E as [s [s2 [R E]]]. apply bind_ok in E. destruct E as [m [s3 [S E]]].
    apply (strat (Some s)) in S; auto. intros s' [= <-]. apply records_true in R; auto.
    intros i d F. now rewrite PositiveMap.gempty in F.
  - destruct H as [V _]. apply check_records_secures in E; auto.
    2: { destruct p; simpl; intros c C D; now apply (V c). }
    destruct p; simpl in E.
    + destruct E as [[Tx Q] | [Tx [y [Fy Q]]]].
      * apply (blocking_safe (on t) One x); [destruct (turn x); auto; discriminate | now apply secured_exchanged].
      * apply (blocking_safe (on t) One x) with y; auto; [destruct (turn x); auto; discriminate | now apply free_exchanged |].
        apply secured_exchanged. now rewrite exchanged_mark.
    + destruct E as [[Tx Q] | [Tx [y [Fy Q]]]].
      * now apply (blocking_safe (on t) Two x).
      * apply (blocking_safe (on t) Two x) with y; auto. intros c C D. now apply (V c).
Qed.

Theorem check_strong_true read_shape bytes s rest : check_strong read_shape bytes = Ok (s, rest) -> strong_holds s.
Proof.
  intros E. unfold check_strong in E. apply bind_ok in E. destruct E as [sh [s1 [_ E]]].
  apply bind_ok in E. destruct E as [x [s2 [M E]]]. apply read_marking_apart in M.
  apply bind_ok in E. destruct E as [w [s3 [_ E]]]. apply bind_ok in E. destruct E as [u [s4 [Nh E]]].
  apply well_formed_ok, andb_true_iff in Nh. rewrite !negb_true_iff in Nh. destruct Nh as [N1 N2].
  destruct (make_tables sh) as [t|] eqn:MT; [|discriminate].
  assert (Sy := symmetries_there _ _ MT). apply make_tables_sound in MT. destruct MT as [T B].
  apply bind_ok in E. destruct E as [u' [s5 [R E]]]. apply bind_ok in E. destruct E as [u'' [s6 [_ E]]].
  injection E as <- _. unfold strong_holds. cbn [strong_place strong_start outcome_of]. rewrite <- B in *.
  assert (H : forall p, harmless t p x) by (intros p; split; [exact M | now destruct p]).
  assert (Sf : forall p v c r, check_safe t p x v = Ok (c, r) -> @safe (strong (on t)) p x).
  { intros p v c r C. unfold check_safe in C. destruct (is_starting p x) eqn:St; [|now apply half_true in C].
    unfold is_starting in St. rewrite !andb_true_iff, !N.eqb_eq in St. destruct St as [[S1 Z1] Z2].
    apply same_player_eq in S1. subst p. apply starter_safe; auto. now rewrite <- Z1. }
  destruct (result_of w) as [p|]; simpl.
  - apply bind_ok in R. destruct R as [m [s7 [R _]]]. now apply (strategy_true t p true None T Sy) in R.
  - apply bind_ok in R. destruct R as [a [s7 [R1 R2]]]. split; [now apply Sf in R1 | now apply Sf in R2].
Qed.
