(** Positional claims (FORMAT.md 6): reading them, and the checker of Maker-Breaker certificates with its theorem. *)

From Coq Require Import NArith Arith List Bool Lia FMapPositive.
From Zermelo Require Import Rules Sets Positional Zones Play Bytes Records RecordsTrue.
Import ListNotations.
Open Scope N_scope.

Inductive shape := Mnk (columns rows in_row : N) | Hypergraph (vertices : N) (hyperedges : list N).

Definition board_of (s : shape) : board :=
  match s with Mnk m n k => mnk m n k | Hypergraph v es => Board v es end.

(** * Reading *)

Definition max_cells : N := 256.
Definition max_edges : N := 4096.

(** A cell that is not yet in the set. *)
Definition add_new (cells : N) (s : N) : reader N :=
  c <- number_below cells ;; well_formed (negb (N.testbit s c)) ;;; ret (N.setbit s c).

Definition read_set (cells count : N) : reader N := repeat (N.to_nat count) (add_new cells) 0.

Definition read_mnk : reader shape :=
  m <- number_below 257 ;; n <- number_below 257 ;; k <- number_below 257 ;;
  well_formed ((1 <=? m * n) && (m * n <=? max_cells) && (1 <=? k)) ;;; ret (Mnk m n k).

Definition read_edge (cells : N) (es : list N) : reader (list N) :=
  size <- number_below (cells + 1) ;; well_formed (1 <=? size) ;;;
  e <- read_set cells size ;; ret (e :: es).

Definition read_hypergraph : reader shape :=
  v <- number_below 257 ;; count <- number_below (max_edges + 1) ;;
  es <- repeat (N.to_nat count) (read_edge v) [] ;; ret (Hypergraph v (rev es)).

Definition player_of (n : N) : player := match n with 0 => One | _ => Two end.

Definition read_marking (b : board) : reader marking :=
  a <- number_below (cells b + 1) ;; one <- read_set (cells b) a ;;
  c <- number_below (cells b + 1) ;; two <- read_set (cells b) c ;;
  well_formed (N.land one two =? 0) ;;;
  s <- number_below 2 ;; ret (Marking (player_of s) one two).

(** * Tables *)

Definition image_cell (m n k : N) (s c : N) : N :=
  let col := c mod m in let row := c / m in
  let (x, y) := if N.testbit s 2 then (row, col) else (col, row) in
  let x := if N.testbit s 0 then m - 1 - x else x in
  let y := if N.testbit s 1 then n - 1 - y else y in
  y * m + x.

Definition symmetry_tables (sh : shape) : list (list N) :=
  match sh with
  | Hypergraph v _ => [up_to v]
  | Mnk m n k => map (fun s => map (image_cell m n k s) (up_to (m * n))) (if m =? n then up_to 8 else up_to 4)
  end.

Definition inverse (l : list N) : list N :=
  map (fun d => match find_edge d l 0 with Some c => c | None => d end) (up_to (N.of_nat (length l))).

Definition make_tables (sh : shape) : option tables :=
  let b := board_of sh in
  match all_some (map (fun l => make_symmetry b l (inverse l)) (symmetry_tables sh)) with
  | Some syms =>
      if forallb (fun e => subset e (N.ones (cells b))) (edges b) then Some (Tables b (make_through b) syms) else None
  | None => None
  end.

(** * The end of a proof (6.4): the last claim holds in this position *)

(** The edges that hold a mark of Breaker, by number. *)
Definition edges_hit (b : board) (s : N) : N := indexes (fun e => negb (N.land e s =? 0)) (edges b) 0.

Definition enough (b : board) (p : player) (x : marking) (c : claim) : bool :=
  (N.land (zone c) (N.lor (of_one x) (of_two x)) =? 0)
  && subset (need c) (match p with One => of_one x | Two => edges_hit b (of_two x) end).

Definition same_player (p q : player) : bool := match p, q with One, One | Two, Two => true | _, _ => false end.

(** Records, and after them the first move if the winner begins. *)
Definition check_records (t : tables) (p : player) (x : marking) : reader unit := fun bytes =>
  (s <- records t p (count bytes) (PositiveMap.empty claim, 0) ;;
   c <- last_claim s ;;
   if same_player (turn x) p then y <- read_cell t ;; require (enough (on t) p x (before t p y c))
   else require (enough (on t) p x c)) bytes.

Record statement := Statement { place : shape; start : marking; winner : player }.

(** What a verified Maker-Breaker certificate says: One is Maker, Two is Breaker. *)
Definition holds (s : statement) : Prop :=
  @wins (maker_breaker (board_of (place s))) (winner s) (start s).

Definition check_claim (read_shape : reader shape) : reader statement :=
  sh <- read_shape ;;
  x <- read_marking (board_of sh) ;;
  w <- number_below 2 ;;
  match make_tables sh with
  | None => malformed
  | Some t => check_records t (player_of w) x ;;; end_of_payload ;;; ret (Statement sh x (player_of w))
  end.

(** * The theorem *)

Lemma nth_map_up_to {A} (f : N -> A) n c d : c < n -> nth (N.to_nat c) (map f (up_to n)) d = f c.
Proof.
  intros L. unfold up_to. rewrite map_map. rewrite nth_indep with (d' := f (N.of_nat 0)).
  - rewrite (map_nth (fun k => f (N.of_nat k))), seq_nth by lia. simpl. now rewrite N2Nat.id.
  - rewrite map_length, seq_length. lia.
Qed.

Lemma all_some_in {A} (l : list (option A)) r : all_some l = Some r -> forall a, In a r -> In (Some a) l.
Proof.
  revert r. induction l as [|[a|] l IH]; simpl; intros r E; try discriminate.
  - injection E as <-. easy.
  - destruct (all_some l) as [r'|]; [|discriminate]. injection E as <-. intros x [<-|I]; auto. right. eapply IH; eauto.
Qed.

Lemma all_some_nth {A} (l : list (option A)) r : all_some l = Some r ->
  length r = length l /\ forall k a, nth_error r k = Some a -> nth_error l k = Some (Some a).
Proof.
  revert r. induction l as [|[a|] l IH]; simpl; intros r E; try discriminate.
  - injection E as <-. split; auto. intros [|k]; discriminate.
  - destruct (all_some l) as [r'|]; [|discriminate]. injection E as <-. destruct (IH _ eq_refl) as [L H]. split; simpl; auto.
    intros [|k] x X; simpl in *; auto. congruence.
Qed.

Lemma find_edge_some e es : forall i0 i, find_edge e es i0 = Some i ->
  exists k, i = i0 + N.of_nat k /\ nth_error es k = Some e.
Proof.
  induction es as [|f es IH]; simpl; intros i0 i E; [discriminate|]. destruct (N.eqb_spec f e).
  - injection E as <-. subst. exists 0%nat. split; auto. lia.
  - destruct (IH _ _ E) as [k [-> K]]. exists (S k). split; auto. lia.
Qed.

Lemma make_symmetry_sound b l m s : make_symmetry b l m = Some s -> sound_symmetry b s.
Proof.
  unfold make_symmetry. intros E.
  destruct (forallb _ (up_to (cells b)) && _ && _) eqn:F; [|discriminate].
  rewrite !andb_true_iff in F. destruct F as [[F L1] L2]. apply N.eqb_eq in L1, L2.
  destruct (all_some _) as [origins|] eqn:A; [|discriminate].
  destruct (forallb _ (map _ _)) eqn:G; [|discriminate]. injection E as <-.
  assert (In' : forall c, c < cells b -> move_cell m (move_cell l c) = c /\ move_cell l (move_cell m c) = c
                                         /\ move_cell l c < cells b /\ move_cell m c < cells b).
  { intros c C. rewrite forallb_forall in F. specialize (F c (proj2 (in_up_to _ _) C)).
    rewrite !andb_true_iff, !N.eqb_eq, !N.ltb_lt in F. tauto. }
  assert (Out : forall k c, cells b <= c -> N.of_nat (length k) = cells b -> move_cell k c = c).
  { intros k c C K. unfold move_cell. apply nth_overflow. lia. }
  constructor; simpl.
  - intros c. destruct (N.lt_ge_cases c (cells b)) as [C|C]; [now apply In'|]. rewrite (Out l), (Out m); auto.
  - intros c. destruct (N.lt_ge_cases c (cells b)) as [C|C]; [now apply In'|]. rewrite (Out m), (Out l); auto.
  - intros c C. now apply In'.
  - intros j i J. apply all_some_nth in A. destruct A as [_ A]. apply A in J. rewrite nth_error_map in J.
    destruct (nth_error (edges b) j) as [e|] eqn:Ej; [|discriminate]. simpl in J.
    assert (J' : find_edge e (map (renamed l (up_to (cells b))) (edges b)) 0 = Some i) by congruence.
    apply find_edge_some in J'. destruct J' as [k [-> K]]. rewrite nth_error_map in K.
    destruct (nth_error (edges b) k) as [f|] eqn:Ek; [|discriminate]. simpl in K.
    exists f. rewrite N.add_0_l, Nat2N.id. split; [exact Ek | congruence].
  - apply all_some_nth in A. destruct A as [A _]. now rewrite map_length in A.
  - intros e I. rewrite forallb_forall in G.
    specialize (G (renamed l (up_to (cells b)) e) (in_map _ _ _ I)). apply existsb_exists in G.
    destruct G as [f [If Ef]]. apply N.eqb_eq in Ef. now rewrite Ef.
Qed.

Lemma make_tables_sound sh t : make_tables sh = Some t -> sound_tables t /\ on t = board_of sh.
Proof.
  unfold make_tables. intros E. destruct (all_some _) as [syms|] eqn:A; [|discriminate].
  destruct (forallb _ _) eqn:F; [|discriminate]. injection E as <-. split; auto. constructor; simpl.
  - intros e I c C. rewrite forallb_forall in F. specialize (F e I). apply subset_inside in F. specialize (F c C).
    unfold has in F. destruct (N.lt_ge_cases c (cells (board_of sh))); auto. rewrite N.ones_spec_high in F; auto. discriminate.
  - intros c i e C E. unfold at_cell, make_through. simpl. rewrite nth_map_up_to; auto.
    now rewrite (indexes_bit _ _ i e E).
  - intros c j H. unfold at_cell, make_through in H. simpl in H.
    destruct (nth_in_or_default (N.to_nat c) (map (fun c => indexes (fun e => N.testbit e c) (edges (board_of sh)) 0)
                (up_to (cells (board_of sh)))) 0) as [I|I].
    + apply in_map_iff in I. destruct I as [d [I _]]. rewrite <- I in H. apply indexes_spec in H.
      destruct H as [k [e [K [_ ->]]]]. exists e. rewrite N.add_0_l, Nat2N.id. exact K.
    + rewrite I in H. now apply has_0 in H.
  - intros s I. apply (all_some_in _ _ A) in I. apply in_map_iff in I. destruct I as [l [E _]].
    now apply make_symmetry_sound in E.
Qed.

Lemma read_set_inside n k s r u : read_set n k s = Ok (r, u) -> forall c, has r c -> c < n.
Proof.
  unfold read_set. intros E. refine (repeat_ok (fun r => forall c, has r c -> c < n) (add_new n) _ _ _ _ _ _ _ E).
  - intros a v b w P H. unfold add_new in H. split_reads H. injection H as <- _. apply number_below_ok in E0.
    intros c. rewrite has_set. intros [->|C]; auto.
  - intros c C. now apply has_0 in C.
Qed.

Lemma read_marking_apart b s x u : read_marking b s = Ok (x, u) ->
  apart (of_one x) (of_two x).
Proof.
  intros E. unfold read_marking in E. split_reads E. injection E as <- _. simpl.
  apply well_formed_ok, N.eqb_eq in E4. now apply apart_land.
Qed.

Lemma same_player_eq p q : same_player p q = true <-> p = q.
Proof. destruct p, q; simpl; split; congruence. Qed.

Lemma edges_hit_spec b s i e : nth_error (edges b) i = Some e -> N.testbit (edges_hit b s) (N.of_nat i) = true -> hits e s.
Proof.
  intros E H. unfold edges_hit in H. rewrite (indexes_bit _ _ i e E) in H. apply negb_true_iff, N.eqb_neq in H.
  apply has_some in H. destruct H as [c C]. apply has_land in C. now exists c.
Qed.

(** Breaker's claims, where the edges left alone are hit already. *)
Lemma others_every b n s : hits_others b n s -> inside n (edges_hit b s) -> on_every (edges b) s.
Proof.
  intros H I e Ie. apply In_nth_error in Ie. destruct Ie as [i E].
  destruct (N.testbit n (N.of_nat i)) eqn:Q; [|now apply (H i e)].
  apply (edges_hit_spec b s i e E). now apply I.
Qed.

Lemma edges_hit_more b s u : inside s u -> inside (edges_hit b s) (edges_hit b u).
Proof.
  intros I j. unfold edges_hit. rewrite !indexes_spec. intros [k [e [E [H ->]]]]. exists k, e. repeat split; auto.
  apply negb_true_iff, N.eqb_neq in H. apply negb_true_iff, N.eqb_neq. intros Z. apply H. apply apart_land.
  apply apart_land in Z. intros c A B. apply (Z c); auto.
Qed.

Lemma enough_spec b p x c : enough b p x c = true ->
  apart (zone c) (marks p x) /\ apart (zone c) (marks (other p) x)
  /\ inside (need c) (match p with One => of_one x | Two => edges_hit b (of_two x) end).
Proof.
  unfold enough. rewrite andb_true_iff. intros [A B]. apply N.eqb_eq, apart_land in A. apply subset_inside in B.
  split; [|split]; auto; intros d D1 D2; apply (A d D1); rewrite has_lor; destruct p; simpl in *; auto.
Qed.

(** A claim that is proved, and whose demands this position meets, secures the player's goal from here on. *)
Definition goal (b : board) (p : player) : N -> Prop :=
  match p with One => has_edge (edges b) | Two => on_every (edges b) end.

Lemma proved_secures b p c X : proved b p c ->
  inside (need c) (match p with One => X | Two => edges_hit b X end) -> secures (goal b p) (zone c) X.
Proof.
  intros [Z [_ S]] I. destruct p; simpl.
  - apply secures_more with (1 := S); auto; [intros x; auto | apply has_edge_upward].
  - apply secures_more with (1 := S).
    + intros x; auto.
    + intros x H. now apply has_0 in H.
    + intros u v J H i e E N0. destruct (H i e E N0) as [d [A B]]. exists d. auto.
    + intros u J H. apply others_every with (need c); auto. intros d D. apply (edges_hit_more b X); auto.
Qed.

Theorem check_records_secures t p x bytes u rest : sound_tables t -> apart (marks p x) (marks (other p) x) ->
  check_records t p x bytes = Ok (u, rest) ->
  (turn x = other p /\ secured_from (on t) p (goal (on t) p) x)
  \/ (turn x = p /\ exists y, In y (free_cells (on t) x) /\ secured_from (on t) p (goal (on t) p) (mark x y)).
Proof.
  intros T D E. unfold check_records in E. apply bind_ok in E. destruct E as [s [v [R E]]].
  apply bind_ok in E. destruct E as [c [w [L E]]].
  assert (A : all_proved (on t) p s).
  { apply records_true in R; auto. intros i d F. now rewrite PositiveMap.gempty in F. }
  assert (P : proved (on t) p c) by now apply (last_true t p) in L. clear R L.
  destruct (same_player (turn x) p) eqn:Q.
  - right. apply same_player_eq in Q. split; auto. apply bind_ok in E. destruct E as [y [z [C E]]].
    apply number_below_ok in C. apply require_ok, enough_spec in E. destruct E as [E1 [E2 E3]]. exists y.
    assert (Fy : In y (free_cells (on t) x)).
    { apply (in_free_marks _ _ _ p). split; auto. split; intros H; [apply (E1 y) | apply (E2 y)]; auto; simpl; rewrite has_set; auto. }
    split; auto. split; [now apply (apart_mark (on t))|].
    exists (N.clearbit (zone c) y), (marks p (mark x y)). split; [|split].
    + assert (S : secures (goal (on t) p) (zone c) (marks p (mark x y))).
      { apply proved_secures; auto. destruct p; cbn [need before] in E3.
        - intros d H. rewrite (marks_mark One). destruct (N.eq_dec d y); auto. left. apply E3. rewrite has_clear. auto.
        - intros j H. destruct (has_dec (at_cell t y) j) as [J|J].
          + destruct (through_edges t T y j J) as [e Ee].
              pose proof (through_right t T y _ e C Ee) as Th. rewrite N2Nat.id in Th. unfold has in J. rewrite J in Th.
              unfold edges_hit. rewrite indexes_spec. exists (N.to_nat j), e. split; auto. split; [|lia].
              apply negb_true_iff, N.eqb_neq. intros Z. apply (has_0 y). rewrite <- Z, has_land. split; [now symmetry in Th|].
              rewrite (marks_mark Two). auto.
          + apply (edges_hit_more _ (of_two x)); [|apply E3; rewrite has_ldiff; auto].
            intros d Hd. rewrite (marks_mark Two). auto. }
      apply secures_gift with (y := y) in S; [|destruct p; [apply has_edge_upward | apply on_every_upward]].
      apply secures_more with (1 := S); auto.
      * intros d; auto.
      * intros d. rewrite has_set. intros [->|H]; auto. rewrite marks_mark. auto.
      * destruct p; [apply has_edge_upward | apply on_every_upward].
    + intros d; auto.
    + intros d. rewrite has_clear. intros [H N0]. apply (free_mark _ p); auto. apply (in_free_marks _ _ _ p).
      destruct P as [Z _]. split; [now apply Z|]. split; intros H'; [apply (E1 d) | apply (E2 d)]; auto; simpl; rewrite has_set; auto.
  - left. assert (Tx : turn x = other p) by (destruct (turn x), p; simpl in Q; auto; discriminate). split; auto.
    apply require_ok, enough_spec in E. destruct E as [E1 [E2 E3]]. split; auto.
    exists (zone c), (marks p x). split; [apply proved_secures; auto; now destruct p|]. split; [intros d; auto|].
    intros d H. apply (in_free_marks _ _ _ p). destruct P as [Z _]. split; [now apply Z|].
    split; intros H'; [apply (E1 d) | apply (E2 d)]; auto.
Qed.

Lemma player_of_cases n : player_of n = One \/ player_of n = Two.
Proof. destruct (player_of n); auto. Qed.

Theorem check_claim_true read_shape bytes s rest : check_claim read_shape bytes = Ok (s, rest) -> holds s.
Proof.
  intros E. unfold check_claim in E. apply bind_ok in E. destruct E as [sh [s1 [_ E]]].
  apply bind_ok in E. destruct E as [x [s2 [M E]]]. apply read_marking_apart in M.
  apply bind_ok in E. destruct E as [w [s3 [_ E]]]. destruct (make_tables sh) as [t|] eqn:MT; [|discriminate].
  apply make_tables_sound in MT. destruct MT as [T B].
  apply bind_ok in E. destruct E as [u [s4 [R E]]]. apply bind_ok in E. destruct E as [u' [s5 [_ E]]].
  injection E as <- _. unfold holds. cbn [place start winner].
  assert (A : apart (marks (player_of w) x) (marks (other (player_of w)) x)).
  { destruct (player_of w); simpl; auto. intros c C D. now apply (M c). }
  apply check_records_secures in R; auto. rewrite B in R.
  destruct (player_of w); simpl in *; (destruct R as [[Tx Q] | [Tx [y [Y Q]]]]).
  - now apply (maker_wins (board_of sh)).
  - now apply (maker_wins (board_of sh)) with y.
  - now apply (breaker_wins (board_of sh)).
  - now apply (breaker_wins (board_of sh)) with y.
Qed.
