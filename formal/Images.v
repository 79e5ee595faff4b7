(** A region and its image on a board: translations, mirror images, and the board with rows and columns exchanged. *)

From Coq Require Import NArith ZArith Arith List Bool Lia.
From Zermelo Require Import Rules Sets Domineering Sums Parts Numbers Order Regions.
Import ListNotations.
Open Scope N_scope.

(** phi brings every domino of the owner of side s in c to one of the owner of that side in f; b and b' say who Left is. *)
Definition carries (a : area) (b : bool) (c : N) (a' : area) (b' : bool) (phi : N -> N) (s : side) : bool :=
  let p := owner s b in let p' := owner s b' in
  forallb (fun d => let u := phi d in let v := phi (d + stride a p) in let low := N.min u v in
                    on_board a' p' low && (low + stride a' p' =? N.max u v)) (starts a p c).

Definition onto (c f : N) (phi psi : N -> N) : bool :=
  forallb (fun s => N.testbit f (phi s) && (psi (phi s) =? s)) (squares c).

(** The check, both ways. *)
Definition image (a : area) (b : bool) (c : N) (a' : area) (b' : bool) (f : N) (phi psi : N -> N) : bool :=
  onto c f phi psi && onto f c psi phi
  && carries a b c a' b' phi Left && carries a b c a' b' phi Right
  && carries a' b' f a b psi Left && carries a' b' f a b psi Right.

Record alike (a : area) (b : bool) (c : N) (a' : area) (b' : bool) (f : N) (phi psi : N -> N) : Prop := {
  there : forall s, has c s -> has f (phi s) /\ psi (phi s) = s;
  back : forall s, has f s -> has c (psi s) /\ phi (psi s) = s;
  carried : forall s d, In d (dominoes a (owner s b) c) ->
    exists e, In e (dominoes a' (owner s b') f) /\ forall q, has c q -> (has d q <-> has e (phi q));
}.

Lemma carries_spec a b c a' b' f phi psi s d : onto c f phi psi = true -> carries a b c a' b' phi s = true ->
  In d (dominoes a (owner s b) c) ->
  exists e, In e (dominoes a' (owner s b') f) /\ forall q, has c q -> (has d q <-> has e (phi q)).
Proof.
  intros O C I. unfold onto in O. rewrite forallb_forall in O. unfold carries in C. rewrite forallb_forall in C.
  apply in_choices in I. unfold choices in I. apply in_map_iff in I. destruct I as [q [<- I]].
  assert (C' := C _ I). cbv zeta in C'. apply andb_true_iff in C'. destruct C' as [B E]. apply N.eqb_eq in E.
  apply in_starts in I. destruct I as [_ [H1 H2]].
  set (u := phi q) in *. set (v := phi (q + stride a (owner s b))) in *. set (low := N.min u v) in *.
  assert (T : forall r, has c r -> has f (phi r) /\ psi (phi r) = r).
  { intros r R. apply in_squares in R. apply O in R. apply andb_true_iff in R. rewrite N.eqb_eq in R. exact R. }
  assert (M : forall r, has (domino a' (owner s b') low) r <-> r = u \/ r = v).
  { intros r. rewrite domino_two, E. unfold low. destruct (N.min_spec u v) as [[? ->]|[? ->]];
      destruct (N.max_spec u v) as [[? ->]|[? ->]]; intuition lia. }
  exists (domino a' (owner s b') low). split.
  - apply in_choices. unfold choices. apply in_map. apply in_starts. split; auto.
    assert (Hu : has f u) by now apply T. assert (Hv : has f v) by now apply T.
    rewrite E. unfold low. split; [destruct (N.min_spec u v) as [[? ->]|[? ->]] | destruct (N.max_spec u v) as [[? ->]|[? ->]]]; auto.
  - intros r R. rewrite domino_two, M. split; [intros [-> | ->]; auto|].
    intros [X|X]; [left | right]; apply (f_equal psi) in X; unfold u, v in X;
      rewrite (proj2 (T _ R)) in X; [rewrite (proj2 (T _ H1)) in X | rewrite (proj2 (T _ H2)) in X]; auto.
Qed.

Lemma image_alike a b c a' b' f phi psi : image a b c a' b' f phi psi = true ->
  alike a b c a' b' f phi psi /\ alike a' b' f a b c psi phi.
Proof.
  unfold image. rewrite !andb_true_iff. intros [[[[[O1 O2] C1] C2] C3] C4].
  assert (T : forall c f phi psi, onto c f phi psi = true -> forall s, has c s -> has f (phi s) /\ psi (phi s) = s).
  { intros c0 f0 phi0 psi0 O r R. unfold onto in O. rewrite forallb_forall in O. apply in_squares in R. apply O in R.
    apply andb_true_iff in R. rewrite N.eqb_eq in R. exact R. }
  split; constructor; try (now apply T); intros s d I; eapply carries_spec; eauto; destruct s; auto.
Qed.

Lemma alike_after a b c a' b' f phi psi d e :
  alike a b c a' b' f phi psi -> inside e f ->
  (forall q, has c q -> (has d q <-> has e (phi q))) -> alike a b (N.ldiff c d) a' b' (N.ldiff f e) phi psi.
Proof.
  intros [T B C] J M. constructor.
  - intros s H. apply has_ldiff in H. destruct H as [H N]. destruct (T s H) as [F E]. split; auto. apply has_ldiff. split; auto.
    now rewrite <- (M s H).
  - intros s H. apply has_ldiff in H. destruct H as [H N]. destruct (B s H) as [F E]. split; auto. apply has_ldiff. split; auto.
    rewrite (M _ F). now rewrite E.
  - intros s d' I. assert (I2 := choice_inside _ _ _ _ I). assert (I3 : In d' (dominoes a (owner s b) c)).
    { apply choice_elsewhere with (1 := I). intros q Q. apply I2 in Q. now apply has_ldiff in Q. }
    destruct (C s d' I3) as [e' [I' M']]. exists e'. split.
    + apply choice_elsewhere with (1 := I'). intros q Q. apply has_ldiff. assert (F := choice_inside _ _ _ _ I' q Q). split; auto.
      intros X. destruct (B q F) as [G E]. rewrite <- E in Q, X. apply (M' _ G) in Q. apply (M _ G) in X.
      apply I2 in Q. apply has_ldiff in Q. tauto.
    + intros q Q. apply M'. now apply has_ldiff in Q.
Qed.

(** The moves of either side correspond. *)
Lemma corresponding a b c a' b' f phi psi s d :
  alike a b c a' b' f phi psi -> alike a' b' f a b c psi phi -> In d (dominoes a (owner s b) c) ->
  exists e, In e (dominoes a' (owner s b') f) /\ alike a b (N.ldiff c d) a' b' (N.ldiff f e) phi psi
            /\ alike a' b' (N.ldiff f e) a b (N.ldiff c d) psi phi.
Proof.
  intros A A' I. destruct (carried _ _ _ _ _ _ _ _ A s d I) as [e [I' M]]. exists e. split; auto. split.
  - apply alike_after; auto. now apply (choice_inside _ _ _ _ I').
  - apply alike_after; auto; [now apply (choice_inside _ _ _ _ I)|].
    intros q Q. destruct (back _ _ _ _ _ _ _ _ A q Q) as [C E]. rewrite (M _ C). now rewrite E.
Qed.

(** On one board an image is worth the same in every sum. *)
Theorem image_equal a c f phi psi : image a false c a false f phi psi = true ->
  above a [Plain f] [Plain c] /\ above a [Plain c] [Plain f].
Proof.
  intros H. apply image_alike in H. destruct H as [A A'].
  assert (G : forall c f phi psi, alike a false c a false f phi psi -> alike a false f a false c psi phi -> above a [Plain f] [Plain c]).
  { clear. intros c f phi psi A A'.
    apply (imitation_above a (fun x y => exists c f, x = [Plain c] /\ y = [Plain f] /\ alike a false c a false f phi psi
      /\ alike a false f a false c psi phi)); [|eauto 10].
    clear. intros x y [c [f [-> [-> [A A']]]]]. split; intros z M; apply moved_region in M; destruct M as [d [I ->]].
    - destruct (corresponding _ _ _ _ _ _ _ _ Right d A' A I) as [e [I' [B B']]].
      exists [Plain (N.ldiff c e)]. split; [now apply region_moves | eauto 10].
    - destruct (corresponding _ _ _ _ _ _ _ _ Left d A A' I) as [e [I' [B B']]].
      exists [Plain (N.ldiff f e)]. split; [now apply region_moves | eauto 10]. }
  split; eapply G; eauto.
Qed.

(** On another board Left wins the image as well. *)
Theorem image_wins a b c a' b' f phi psi : image a b c a' b' f phi psi = true ->
  (Numbers.ge0 a [Region b c] -> Numbers.ge0 a' [Region b' f]) /\ (Numbers.gt0 a [Region b c] -> Numbers.gt0 a' [Region b' f]).
Proof.
  intros H. apply image_alike in H. destruct H as [A A']. remember (size a (State One c)) as n eqn:E. revert c f A A' E.
  induction n as [n IH] using lt_wf_ind. intros c f A A' ->. split; intros G.
  - constructor. intros y M. apply moved_region in M. destruct M as [e [I ->]].
    destruct (corresponding _ _ _ _ _ _ _ _ Right e A' A I) as [d [I' [B B']]].
    assert (F := two_fewer _ _ _ _ I'). apply (IH (size a (State One (N.ldiff c d)))) with (c := N.ldiff c d); auto; [lia|].
    apply (ge0_answer part (options a)) with (1 := G). now apply region_moves.
  - apply gt0_move in G. destruct G as [y [M G]]. apply moved_region in M. destruct M as [d [I ->]].
    destruct (corresponding _ _ _ _ _ _ _ _ Left d A A' I) as [e [I' [B B']]].
    assert (F := two_fewer _ _ _ _ I). apply some_move with [Region b' (N.ldiff f e)]; [now apply region_moves|].
    apply (IH (size a (State One (N.ldiff c d)))) with (c := N.ldiff c d); auto. lia.
Qed.
