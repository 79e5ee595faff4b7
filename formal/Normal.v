(** The normal form of a position (FORMAT.md 9, REF): positions with the same one are alike. *)

From Coq Require Import NArith Arith List Bool Lia FinFun.
From Zermelo Require Import Rules Sets Positional Zones Play Bytes Records RecordsTrue Alike.
Import ListNotations.
Open Scope N_scope.

Definition live_edge (x : marking) (e : N) : bool := (N.land e (of_one x) =? 0) || (N.land e (of_two x) =? 0).

(** The cells on live edges. *)
Definition live_cells (b : board) (x : marking) : N :=
  fold_right (fun e acc => if live_edge x e then N.lor e acc else acc) 0 (edges b).

Definition free_set (b : board) (x : marking) : N := N.ldiff (N.ldiff (N.ones (cells b)) (of_one x)) (of_two x).

Definition dead_free (b : board) (x : marking) : list N :=
  filter (fun c => negb (N.testbit (live_cells b x) c)) (free_cells b x).

Definition parts (b : board) (x : marking) : list N :=
  map (N.land (live_cells b x)) [of_one x; of_two x; free_set b x].

Definition image_parts (t : tables) (s : symmetry) (x : marking) : list N :=
  map (renamed (image s) (up_to (cells (on t)))) (parts (on t) x).

Lemma live_edge_spec x e : live_edge x e = true <-> live x e.
Proof. unfold live_edge, live. now rewrite orb_true_iff, !N.eqb_eq, !apart_land. Qed.

Lemma live_cells_spec b x c : has (live_cells b x) c <-> exists e, In e (edges b) /\ live x e /\ has e c.
Proof.
  unfold live_cells. induction (edges b) as [|e es IH]; simpl.
  - split; [intros H; now apply has_0 in H | intros [e [[] _]]].
  - destruct (live_edge x e) eqn:L; rewrite ?has_lor, IH; split.
    + intros [H | [f [A B]]]; [exists e; rewrite <- live_edge_spec; auto | exists f; tauto].
    + intros [f [[<-|A] [B C]]]; [now left | right; exists f; auto].
    + intros [f [A B]]. exists f. tauto.
    + intros [f [[<-|A] [B C]]]; [apply live_edge_spec in B; congruence | exists f; auto].
Qed.

Lemma free_set_spec b x c : has (free_set b x) c <-> free b x c.
Proof.
  unfold free_set, free. rewrite !has_ldiff, in_free. unfold has at 1. split.
  - intros [[A B] C]. repeat split; auto. destruct (N.lt_ge_cases c (cells b)); auto. rewrite N.ones_spec_high in A; auto.
    discriminate.
  - intros [A [B C]]. repeat split; auto. now apply N.ones_spec_low.
Qed.

(** Lists of the same length without repetition, matched one to one. *)
Lemma matching (l m : list N) : NoDup l -> NoDup m -> length l = length m ->
  exists p q : N -> N, (forall c, In c l -> In (p c) m /\ q (p c) = c) /\ (forall d, In d m -> In (q d) l /\ p (q d) = d).
Proof.
  revert m. induction l as [|a l IH]; intros [|b m] Nl Nm L; try discriminate.
  - exists (fun c => c), (fun c => c). split; intros c [].
  - inversion Nl as [|? ? Na Nl']; subst. inversion Nm as [|? ? Nb Nm']; subst. injection L as L.
    destruct (IH m Nl' Nm' L) as [p [q [P Q]]].
    exists (fun c => if c =? a then b else p c), (fun d => if d =? b then a else q d). split.
    + intros c [<-|I].
      * rewrite !N.eqb_refl. split; [now left | reflexivity].
      * destruct (N.eqb_spec c a); [congruence|]. destruct (P c I) as [P1 P2]. split; [now right|].
        destruct (N.eqb_spec (p c) b); [congruence | exact P2].
    + intros d [<-|I].
      * rewrite !N.eqb_refl. split; [now left | reflexivity].
      * destruct (N.eqb_spec d b); [congruence|]. destruct (Q d I) as [Q1 Q2]. split; [now right|].
        destruct (N.eqb_spec (q d) a); [congruence | exact Q2].
Qed.

(** What a change of names must do on the cells of live edges. *)
Record matches (b : board) (p q : N -> N) (x y : marking) : Prop := {
  to_live : forall c, has (live_cells b x) c -> has (live_cells b y) (p c) /\ q (p c) = c
    /\ (free b x c <-> free b y (p c)) /\ forall s, has (marks s x) c <-> has (marks s y) (p c);
  to_edge : forall e, In e (edges b) -> live x e -> exists f, In f (edges b) /\ goes p e f
}.

Lemma free_nodup b x : NoDup (free_cells b x).
Proof.
  unfold free_cells. apply NoDup_filter. unfold up_to. apply FinFun.Injective_map_NoDup; [|apply seq_NoDup].
  intros i j E. lia.
Qed.

Lemma matches_alike b p q x y : turn x = turn y -> matches b p q x y -> matches b q p y x ->
  length (dead_free b x) = length (dead_free b y) -> alike b x y.
Proof.
  intros T M M' L. destruct (matching (dead_free b x) (dead_free b y)) as [f [g [P Q]]]; auto;
    try (apply NoDup_filter, free_nodup).
  assert (D : forall z c, In c (dead_free b z) <-> free b z c /\ ~ has (live_cells b z) c).
  { intros z c. unfold dead_free. rewrite filter_In, negb_true_iff. unfold free, has.
    destruct (N.testbit (live_cells b z) c); intuition congruence. }
  (* Half of the proof; the other half is the same with the positions exchanged. *)
  assert (half : forall x y p q f g, matches b p q x y -> matches b q p y x ->
    (forall c, In c (dead_free b x) -> In (f c) (dead_free b y) /\ g (f c) = c) ->
    let p' := fun c => if N.testbit (live_cells b x) c then p c else f c in
    let q' := fun d => if N.testbit (live_cells b y) d then q d else g d in
    (forall c, counts b x c -> q' (p' c) = c) /\ (forall c, free b x c -> free b y (p' c)) /\
    (forall e, In e (edges b) -> live x e -> exists f, In f (edges b) /\ goes p' e f
      /\ forall s c, has e c -> (has (marks s x) c <-> has (marks s y) (p' c)))).
  { clear - D. intros x y p q f g M M' P p' q'.
    assert (Lx : forall e c, In e (edges b) -> live x e -> has e c -> has (live_cells b x) c)
      by (intros e c I L H; apply live_cells_spec; eauto).
    assert (live_case : forall c, has (live_cells b x) c -> p' c = p c /\ q' (p c) = c).
    { intros c C. destruct (to_live _ _ _ _ _ M c C) as [A [B _]]. unfold p', q'. unfold has in C, A. now rewrite C, A. }
    assert (dead_case : forall c, In c (dead_free b x) -> p' c = f c /\ q' (f c) = c /\ free b y (f c)).
    { intros c C. destruct (P c C) as [A B]. apply D in C. apply D in A. destruct C as [_ C], A as [A' A].
      unfold p', q'. unfold has in C, A. destruct (N.testbit (live_cells b x) c); [easy|].
      destruct (N.testbit (live_cells b y) (f c)); easy. }
    repeat split.
    - intros c C. destruct (has_dec (live_cells b x) c) as [H|H].
      + destruct (live_case c H) as [-> E]. exact E.
      + destruct C as [F | [e [I [L E]]]]; [|exfalso; eauto].
        destruct (dead_case c) as [-> [E _]]; [now apply D | exact E].
    - intros c F. destruct (has_dec (live_cells b x) c) as [H|H].
      + destruct (live_case c H) as [-> _]. now apply (to_live _ _ _ _ _ M c H).
      + destruct (dead_case c) as [-> [_ E]]; [now apply D | exact E].
    - intros e I L. destruct (to_edge _ _ _ _ _ M e I L) as [h [Ih G]]. exists h. split; auto. split.
      + intros d. rewrite (G d). split; intros [c [C E]]; exists c; split; auto;
        destruct (live_case c (Lx e c I L C)) as [E' _]; congruence.
      + intros s c C. destruct (live_case c (Lx e c I L C)) as [-> _].
        apply (to_live _ _ _ _ _ M c (Lx e c I L C)). }
  destruct (half x y p q f g M M' P) as [A [B C]]. destruct (half y x q p g f M' M Q) as [A' [B' C']].
  exists (fun c => if N.testbit (live_cells b x) c then p c else f c),
         (fun d => if N.testbit (live_cells b y) d then q d else g d).
  constructor; [exact T | exact A | exact A' | exact B | exact B' | exact C | exact C'].
Qed.

(** Two symmetries that bring two positions to the same picture. *)
Lemma images_match t s1 s2 x y : sound_symmetry (on t) s1 -> sound_symmetry (on t) s2 -> valid x -> valid y ->
  (forall e, In e (edges (on t)) -> in_board (on t) e) ->
  image_parts t s1 x = image_parts t s2 y ->
  matches (on t) (fun c => move_cell (origin s2) (move_cell (image s1) c)) (fun c => move_cell (origin s1) (move_cell (image s2) c)) x y.
Proof.
  intros S1 S2 Vx Vy In_b E. unfold image_parts, parts in E. injection E as E1 E2 E3.
  set (b := on t) in *.
  assert (Lb : forall z c, has (live_cells b z) c -> c < cells b).
  { intros z c H. apply live_cells_spec in H. destruct H as [e [I [_ H]]]. now apply (In_b e). }
  (* A part of x and the same part of y: their cells correspond. *)
  assert (part : forall P Q c, (forall c, has P c -> c < cells b) ->
    renamed (image s1) (up_to (cells b)) P = renamed (image s2) (up_to (cells b)) Q -> has P c ->
    has Q (move_cell (origin s2) (move_cell (image s1) c))).
  { intros P Q c Pb E H. assert (R : has (renamed (image s1) (up_to (cells b)) P) (move_cell (image s1) c)).
    { apply renamed_spec. exists c. rewrite in_up_to. auto. }
    rewrite E in R. apply renamed_spec in R. destruct R as [d [_ [Qd ->]]]. now rewrite (there_back _ _ S2). }
  assert (Pb : forall A c, has (N.land (live_cells b x) A) c -> c < cells b).
  { intros A c H. apply has_land in H. now apply (Lb x). }
  constructor.
  - intros c C. assert (Cb := Lb x c C).
    assert (K1 := part _ _ c (Pb (of_one x)) E1). assert (K2 := part _ _ c (Pb (of_two x)) E2).
    assert (K3 := part _ _ c (Pb (free_set b x)) E3). rewrite !has_land in K1, K2, K3. rewrite !free_set_spec in K3.
    set (d := move_cell (origin s2) (move_cell (image s1) c)) in *.
    assert (Fx : free b x c <-> ~ has (of_one x) c /\ ~ has (of_two x) c) by (unfold free; rewrite in_free; tauto).
    assert (Ld : has (live_cells b y) d).
    { destruct (has_dec (of_one x) c); [tauto|]. destruct (has_dec (of_two x) c); tauto. }
    assert (Fy : free b y d <-> ~ has (of_one y) d /\ ~ has (of_two y) d).
    { unfold free. rewrite in_free. assert (d < cells b) by now apply (Lb y). tauto. }
    assert (Xx : ~ (has (of_one x) c /\ has (of_two x) c)) by (intros [A B]; now apply (Vx c)).
    assert (Xy : ~ (has (of_one y) d /\ has (of_two y) d)) by (intros [A B]; now apply (Vy d)).
    split; auto. split.
    + unfold d. now rewrite (back_there _ _ S2), (there_back _ _ S1).
    + destruct (has_dec (of_one x) c), (has_dec (of_two x) c); split; try tauto; intros []; simpl; tauto.
  - intros e I L. pose proof (edge_goes _ _ S1 e I) as I1. apply In_nth_error in I1. destruct I1 as [j J].
    assert (Lj : (j < length (edge_origin s2))%nat).
    { rewrite (all_come _ _ S2). apply nth_error_Some. fold b in J. congruence. }
    destruct (nth_in_range _ _ Lj) as [i Ei]. destruct (edge_comes _ _ S2 j i Ei) as [f [If Jf]].
    exists f. split; [now apply nth_error_In in If|].
    assert (R : renamed (image s1) (up_to (cells b)) e = renamed (image s2) (up_to (cells b)) f) by (fold b in J, Jf; congruence).
    assert (Ib := In_b e I). assert (Fb := In_b f (nth_error_In _ _ If)).
    intros d. split.
    + intros H. assert (X : has (renamed (image s2) (up_to (cells b)) f) (move_cell (image s2) d)).
      { apply renamed_spec. exists d. rewrite in_up_to. auto. }
      rewrite <- R in X. apply renamed_spec in X. destruct X as [c [_ [C X]]]. exists c. split; auto.
      now rewrite <- X, (there_back _ _ S2).
    + intros [c [C ->]]. now apply (part e f).
Qed.

Theorem normal_alike t s1 s2 x y : sound_symmetry (on t) s1 -> sound_symmetry (on t) s2 -> valid x -> valid y ->
  (forall e, In e (edges (on t)) -> in_board (on t) e) -> turn x = turn y ->
  image_parts t s1 x = image_parts t s2 y -> length (dead_free (on t) x) = length (dead_free (on t) y) -> alike (on t) x y.
Proof.
  intros S1 S2 Vx Vy B T E L.
  exact (matches_alike _ _ _ _ _ T (images_match t s1 s2 x y S1 S2 Vx Vy B E)
           (images_match t s2 s1 y x S2 S1 Vy Vx B (eq_sym E)) L).
Qed.
