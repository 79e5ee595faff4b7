(** Every record that the checker of [Records] derives is true. *)

From Coq Require Import NArith Arith List Bool Lia FMapPositive.
From Zermelo Require Import Rules Sets Positional Zones Play Bytes Records.
Import ListNotations.
Open Scope N_scope.

(** * What the tables must say *)

Record sound_symmetry (b : board) (s : symmetry) : Prop := {
  there_back : forall c, move_cell (origin s) (move_cell (image s) c) = c;
  back_there : forall c, move_cell (image s) (move_cell (origin s) c) = c;
  image_below : forall c, c < cells b -> move_cell (image s) c < cells b;
  edge_comes : forall j i, nth_error (edge_origin s) j = Some i ->
    exists e, nth_error (edges b) (N.to_nat i) = Some e
              /\ nth_error (edges b) j = Some (renamed (image s) (up_to (cells b)) e);
  all_come : length (edge_origin s) = length (edges b);
  edge_goes : forall e, In e (edges b) -> In (renamed (image s) (up_to (cells b)) e) (edges b)
}.

Record sound_tables (t : tables) : Prop := {
  edges_inside : forall e, In e (edges (on t)) -> in_board (on t) e;
  through_right : forall c i e, c < cells (on t) -> nth_error (edges (on t)) i = Some e ->
    N.testbit (at_cell t c) (N.of_nat i) = N.testbit e c;
  through_edges : forall c j, has (at_cell t c) j -> exists e, nth_error (edges (on t)) (N.to_nat j) = Some e;
  symmetries_sound : forall s, In s (symmetries t) -> sound_symmetry (on t) s
}.

(** * The helpers *)

Lemma indexes_spec test es : forall i0 j,
  has (indexes test es i0) j <-> exists k e, nth_error es k = Some e /\ test e = true /\ j = i0 + N.of_nat k.
Proof.
  induction es as [|e es IH]; intros i0 j; simpl.
  - split; [intros H; now apply has_0 in H|]. intros [k [e [H _]]]. destruct k; discriminate.
  - assert (R : has (indexes test es (N.succ i0)) j
                <-> exists k f, nth_error (e :: es) (S k) = Some f /\ test f = true /\ j = i0 + N.of_nat (S k)).
    { rewrite IH. split; intros [k [f [A [B C]]]]; exists k, f; repeat split; auto; lia. }
    destruct (test e) eqn:T.
    + rewrite has_set, R. split.
      * intros [-> | [k [f H]]]; [exists 0%nat, e; repeat split; auto; lia | now exists (S k), f].
      * intros [[|k] [f [A [B C]]]]; [left; lia | right; now exists k, f].
    + rewrite R. split.
      * intros [k [f H]]. now exists (S k), f.
      * intros [[|k] [f [A [B C]]]]; [injection A as <-; congruence | now exists k, f].
Qed.

Lemma indexes_bit test es k e : nth_error es k = Some e -> N.testbit (indexes test es 0) (N.of_nat k) = test e.
Proof.
  intros E. assert (S := indexes_spec test es 0 (N.of_nat k)). unfold has in S.
  destruct (test e) eqn:T.
  - apply S. exists k, e. repeat split; auto.
  - destruct (N.testbit (indexes test es 0) (N.of_nat k)) eqn:X; auto. exfalso.
    destruct (proj1 S eq_refl) as [j [f [A [B C]]]]. assert (k = j) by lia. subst. congruence.
Qed.

Lemma renamed_spec l members s d :
  has (renamed l members s) d <-> exists c, In c members /\ has s c /\ d = move_cell l c.
Proof.
  induction members as [|m members IH]; simpl.
  - split; [intros H; now apply has_0 in H | intros [c [[] _]]].
  - destruct (N.testbit s m) eqn:T; rewrite ?has_set, IH; split.
    + intros [-> | [c [A B]]]; [exists m; auto | exists c; tauto].
    + intros [c [[<-|A] [B C]]]; [now left | right; exists c; auto].
    + intros [c [A B]]. exists c. tauto.
    + intros [c [[<-|A] [B C]]]; [unfold has in B; congruence | exists c; auto].
Qed.

Lemma nth_in_range {A} (l : list A) k : (k < length l)%nat -> exists a, nth_error l k = Some a.
Proof. intros L. apply nth_error_Some in L. destruct (nth_error l k); eauto. congruence. Qed.

Section True.
  Variables (t : tables) (p : player).
  Hypothesis T : sound_tables t.
  Let b := on t.

  Lemma hits_others_upward n : upward (hits_others b n).
  Proof. intros s u I H i e E N0. destruct (H i e E N0) as [c [A B]]. exists c. auto. Qed.

  Lemma all_edges_hit s : hits_others b (all_edges t) s.
  Proof.
    intros i e E H. exfalso. assert (L : (i < length (edges b))%nat) by (apply nth_error_Some; congruence).
    unfold all_edges in H. rewrite N.ones_spec_low in H; [discriminate|]. unfold b in L. lia.
  Qed.

  Lemma seen_true s c : In s (symmetries t) -> proved b p c -> proved b p (seen_through t p s c).
  Proof.
    intros I. destruct (symmetries_sound t T s I) as [TB BT IB EC AC EG]. intros [Z [Nb H]].
    assert (Q : forall r, in_board b r -> forall c, has (renamed (image s) (up_to (cells b)) r) c <-> has r (move_cell (origin s) c)).
    { intros r Hr d. rewrite renamed_spec. split.
      - intros [e [_ [E ->]]]. now rewrite TB.
      - intros E. exists (move_cell (origin s) d). rewrite in_up_to, BT. auto. }
    assert (Q' : forall r, in_board b r -> in_board b (renamed (image s) (up_to (cells b)) r)).
    { intros r Hr d. rewrite renamed_spec. intros [e [E [_ ->]]]. apply in_up_to in E. auto. }
    split; [now apply Q'|]. split; [intros ->; apply Q'; auto|].
    destruct p; cbn [need zone seen_through].
    - apply secures_renamed with (1 := H) (p := move_cell (image s)) (q := move_cell (origin s)); auto.
      + intros u u' _ HU [e [Ie Se]]. exists (renamed (image s) (up_to (cells b)) e). split; auto.
        intros d. rewrite renamed_spec. intros [e0 [_ [E ->]]]. auto.
      + apply has_edge_upward.
    - apply secures_renamed with (1 := H) (p := move_cell (image s)) (q := move_cell (origin s)); auto.
      + intros d. split; intros X; now apply has_0 in X.
      + intros u u' Iu HU Hh j e E Nj.
        assert (Lj : (j < length (edge_origin s))%nat) by (rewrite AC; apply nth_error_Some; unfold b in E; congruence).
        destruct (nth_in_range _ _ Lj) as [i Ei]. rewrite (indexes_bit _ _ j i Ei) in Nj.
        destruct (EC j i Ei) as [e0 [E0 E1]].
        destruct (Hh (N.to_nat i) e0) as [d [D1 D2]]; [exact E0 | now rewrite N2Nat.id|].
        fold b in E1. rewrite E in E1. injection E1 as ->. exists (move_cell (image s) d). split; auto.
        apply renamed_spec. exists d. repeat split; auto. apply in_up_to. apply Z.
        specialize (Iu d D2). rewrite has_lor in Iu. destruct Iu as [X|X]; auto. now apply has_0 in X.
      + apply hits_others_upward.
  Qed.

  Lemma reference_true s bytes c rest :
    all_proved b p s -> reference t p s bytes = Ok (c, rest) -> proved b p c.
  Proof.
    intros A H. unfold reference in H. split_reads H. destruct (PositiveMap.find _ _) as [d|] eqn:F; [|discriminate].
    apply A in F. split_reads H. destruct (_ =? 0).
    - injection H as <- _. exact F.
    - destruct (nth_error _ _) as [sym|] eqn:S; [|discriminate]. injection H as <- _.
      apply seen_true; auto. now apply nth_error_In in S.
  Qed.

  Lemma pair_true c bytes d rest : p = Two -> proved b p c -> add_pair t c bytes = Ok (d, rest) -> proved b p d.
  Proof.
    intros -> [Z [_ H]] E. unfold add_pair in E. split_reads E. injection E as <- _.
    apply number_below_ok in E0. apply number_below_ok in E1. fold b in E0, E1.
    apply require_ok in E2. rewrite !andb_true_iff, !negb_true_iff, N.eqb_neq in E2. destruct E2 as [[D D0] D1].
    split; [|split; [discriminate|]]; cbn [need zone].
    - intros x. rewrite !has_set. intros [->|[->|X]]; auto.
    - assert (U2 : upward (fun s => has s a \/ has s a0)) by (intros u v I [X|X]; auto).
      assert (Ap : apart (zone c) (N.setbit (N.setbit 0 a) a0)).
      { intros x Hx. rewrite !has_set. unfold has in Hx. intros [-> | [-> | X]]; try congruence. now apply has_0 in X. }
      pose proof (secures_sum _ _ _ _ H (hits_others_upward _) U2 _ _ (secures_pair a a0 D) Ap) as S.
      apply secures_more with (1 := S).
      + intros x. rewrite has_lor, !has_set. intros [X|[->|[->|X]]]; auto. now apply has_0 in X.
      + intros x. rewrite has_lor. intros [X|X]; now apply has_0 in X.
      + intros u v I [X Y]. split; [now apply hits_others_upward with u | eapply U2; eauto].
      + intros u _ [X Y] i e Ei Ni. rewrite N.ldiff_spec, N.land_spec in Ni.
        rewrite (through_right t T a i e E0 Ei), (through_right t T a0 i e E1 Ei) in Ni.
        destruct (N.testbit (need c) (N.of_nat i)) eqn:Nc; [|now apply (X i e)].
        simpl in Ni. apply negb_false_iff, andb_true_iff in Ni. destruct Ni as [Na Nb].
        destruct Y as [Y|Y]; [now exists a | now exists a0].
  Qed.

  Lemma reply_true s l bytes m rest : all_proved b p s ->
    (forall r, In r l -> fst r < cells b /\ proved b p (snd r)) -> add_reply t p s l bytes = Ok (m, rest) ->
    forall r, In r m -> fst r < cells b /\ proved b p (snd r).
  Proof.
    intros A H E. unfold add_reply in E. split_reads E. injection E as <- _. intros r [<-|I]; auto.
    split; [now apply number_below_ok in E0 | now apply reference_true in E1].
  Qed.

  Lemma step_zone l x : has (zone (step_claim t p l)) x <-> exists r, In r l /\ has (N.setbit (zone (snd r)) (fst r)) x.
  Proof.
    induction l as [|r l IH]; simpl.
    - split; [intros X; now apply has_0 in X | intros [r [[] _]]].
    - rewrite has_lor, IH. split.
      + intros [X | [q [I X]]]; [exists r; auto | exists q; auto].
      + intros [q [[<-|I] X]]; [now left | right; exists q; auto].
  Qed.

  Lemma step_need l x : has (need (step_claim t p l)) x <-> exists r, In r l /\ has (need (before t p (fst r) (snd r))) x.
  Proof.
    induction l as [|r l IH]; simpl.
    - split; [intros X; now apply has_0 in X | intros [r [[] _]]].
    - rewrite has_lor, IH. split.
      + intros [X | [q [I X]]]; [exists r; auto | exists q; auto].
      + intros [q [[<-|I] X]]; [now left | right; exists q; auto].
  Qed.

  Lemma common_none l : common t p l = 0 ->
    l <> [] /\ forall x, exists r, In r l /\ ~ has (N.setbit (zone (snd r)) (fst r)) x.
  Proof.
    destruct l as [|r l]; [discriminate|]. intros C. split; [discriminate|]. intros x.
    assert (K : forall l, ~ has (fold_right (fun r acc => N.land (zone (before t p (fst r) (snd r))) acc)
                             (zone (before t p (fst r) (snd r))) l) x ->
                          exists q, In q (r :: l) /\ ~ has (N.setbit (zone (snd q)) (fst q)) x).
    { clear C. induction l0 as [|q l0 IH]; simpl; intros K; [exists r; auto|]. rewrite has_land in K.
      destruct (has_dec (N.setbit (zone (snd q)) (fst q)) x) as [X|X]; [|exists q; auto].
      destruct IH as [q' [[<-|I] Y]]; [tauto | exists r; auto | exists q'; auto]. }
    apply K. cbv beta iota delta [common] in C. rewrite C. apply has_0.
  Qed.

  Lemma step_true l : (forall r, In r l -> fst r < cells b /\ proved b p (snd r)) -> common t p l = 0 ->
    proved b p (step_claim t p l).
  Proof.
    intros H C. apply common_none in C. destruct C as [NE C]. split; [|split].
    - intros x. rewrite step_zone. intros [r [I X]]. destruct (H r I) as [L [Z _]]. rewrite has_set in X.
      destruct X as [->|X]; auto.
    - intros P x. rewrite step_need. intros [r [I X]]. destruct (H r I) as [_ [_ [N0 _]]].
      unfold before in X. rewrite P in X. simpl in X. rewrite has_clear in X. apply N0; tauto.
    - pose (replies := map (fun r => (fst r, N.setbit (zone (snd r)) (fst r))) l).
      assert (NE' : replies <> []) by (unfold replies; destruct l; simpl; congruence).
      assert (C' : forall x, exists y Z, In (y, Z) replies /\ ~ has Z x).
      { intros x. destruct (C x) as [r [I X]]. exists (fst r), (N.setbit (zone (snd r)) (fst r)). split; auto.
        unfold replies. apply in_map_iff. exists r. auto. }
      assert (M : forall y Z, In (y, Z) replies -> exists r, In r l /\ y = fst r /\ Z = N.setbit (zone (snd r)) (fst r)).
      { intros y Z I. apply in_map_iff in I. destruct I as [r [E I]]. injection E as <- <-. eauto. }
      assert (IZ : forall y Z, In (y, Z) replies -> inside Z (zone (step_claim t p l)) /\ has Z y).
      { intros y Z I. destruct (M y Z I) as [r [Ir [-> ->]]]. split; [|rewrite has_set; auto].
        intros x X. apply step_zone. eauto. }
      enough (G : (p = One -> secures (has_edge (edges b)) (zone (step_claim t p l)) (need (step_claim t p l)))
                  /\ (p = Two -> secures (hits_others b (need (step_claim t p l))) (zone (step_claim t p l)) 0))
        by (destruct G; destruct p; auto).
      split; intros P.
      + apply secures_step with replies; auto; [apply has_edge_upward|].
        intros y Z I. destruct (IZ y Z I) as [I1 I2]. split; [|split]; auto.
        destruct (M y Z I) as [r [Ir [-> ->]]]. destruct (H r Ir) as [_ [_ [_ S]]]. rewrite P in S.
        apply secures_gift with (y := fst r) in S; [|apply has_edge_upward].
        apply secures_more with (1 := S); auto; try apply has_edge_upward.
        * intros x. rewrite !has_clear, has_set. tauto.
        * intros x. rewrite !has_set, step_need. intros [->|X]; auto.
          destruct (N.eq_dec x (fst r)); auto. right. exists r. split; auto.
          unfold before. rewrite P. simpl. rewrite has_clear. auto.
      + apply secures_step with replies; auto; [apply hits_others_upward|].
        intros y Z I. destruct (IZ y Z I) as [I1 I2]. split; [|split]; auto.
        destruct (M y Z I) as [r [Ir [-> ->]]]. destruct (H r Ir) as [L [_ [_ S]]]. rewrite P in S.
        apply secures_gift with (y := fst r) in S; [|apply hits_others_upward].
        apply secures_more with (1 := S); auto; try apply hits_others_upward.
        * intros x. rewrite !has_clear, has_set. tauto.
        * intros x. auto.
        * intros s Is X i e E Ni. destruct (N.testbit (need (snd r)) (N.of_nat i)) eqn:Nr; [|now apply (X i e)].
          exists (fst r). split; [|apply Is; rewrite has_set; auto].
          unfold has. rewrite <- (through_right t T (fst r) i e L E).
          destruct (N.testbit (at_cell t (fst r)) (N.of_nat i)) eqn:Q; auto. exfalso.
          assert (X0 : has (need (step_claim t p l)) (N.of_nat i)).
          { apply step_need. exists r. split; auto. unfold before. rewrite P. simpl. rewrite has_ldiff.
            split; [exact Nr|]. unfold has. congruence. }
          unfold has in X0. congruence.
  Qed.

  Lemma part_true s c bytes d rest : p = Two -> all_proved b p s -> proved b p c ->
    add_part t p s c bytes = Ok (d, rest) -> proved b p d.
  Proof.
    intros P A C E. unfold add_part in E. split_reads E. injection E as <- _.
    apply reference_true in E0; auto. apply require_ok in E1. apply N.eqb_eq, apart_land in E1.
    rewrite P in *. destruct C as [Z [_ S]], E0 as [Z0 [_ S0]]. split; [|split; [discriminate|]]; cbn [need zone].
    - intros x. rewrite has_lor. intros [X|X]; auto.
    - pose proof (secures_sum _ _ _ _ S (hits_others_upward _) (hits_others_upward _) _ _ S0 E1) as Q.
      apply secures_more with (1 := Q); auto.
      + intros x; auto.
      + intros x. rewrite has_lor. tauto.
      + intros u v I [X Y]. split; [now apply hits_others_upward with u | now apply hits_others_upward with u].
      + intros u _ [X Y] i e Ei Ni. rewrite N.land_spec in Ni. apply andb_false_iff in Ni.
        destruct Ni; [now apply (X i e) | now apply (Y i e)].
  Qed.

  Lemma others_hit_spec c out es : forall i0 part, In part (others_hit c out es i0) ->
    exists k f, nth_error es k = Some f /\ N.testbit (need c) (i0 + N.of_nat k) = false /\ N.testbit f out = false
                /\ part = N.land f (zone c).
  Proof.
    induction es as [|e es IH]; intros i0 part; simpl; [easy|].
    assert (R : In part (others_hit c out es (N.succ i0)) ->
      exists k f, nth_error (e :: es) k = Some f /\ N.testbit (need c) (i0 + N.of_nat k) = false /\ N.testbit f out = false
                  /\ part = N.land f (zone c)).
    { intros I. destruct (IH _ _ I) as [k [f [K1 [K2 K3]]]]. exists (S k), f. split; auto. split; auto.
      rewrite <- K2. f_equal. lia. }
    destruct (N.testbit (need c) i0) eqn:X, (N.testbit e out) eqn:Y; simpl; auto. intros [<-|I]; auto.
    exists 0%nat, e. simpl. rewrite N.add_0_r. auto.
  Qed.

  Definition transpose (out into c : N) : N := if c =? out then into else if c =? into then out else c.

  Lemma transpose_twice out into c : transpose out into (transpose out into c) = c.
  Proof.
    unfold transpose. destruct (N.eqb_spec c out); subst.
    - destruct (N.eqb_spec into out); subst; auto. now rewrite N.eqb_refl.
    - destruct (N.eqb_spec c into); subst; [now rewrite N.eqb_refl|].
      destruct (N.eqb_spec c out); try easy. destruct (N.eqb_spec c into); easy.
  Qed.

  Lemma swap_true c out into : p = Two -> proved b p c -> into < cells b -> has (zone c) out -> ~ has (zone c) into ->
    proved b p (swapped t c out into).
  Proof.
    intros -> [Z [_ S]] L Ho Hi. assert (D : out <> into) by (intros ->; auto).
    split; [|split; [discriminate|]]; cbn [need zone swapped].
    - intros x. rewrite has_set, has_clear. intros [->|[X _]]; auto.
    - apply secures_renamed with (1 := S) (p := transpose out into) (q := transpose out into);
        try apply transpose_twice.
      + intros x. rewrite has_set, has_clear. unfold transpose.
        destruct (N.eqb_spec x out); subst; [split; [intros [->|[_ X]]; tauto | tauto]|].
        destruct (N.eqb_spec x into); subst; tauto.
      + intros x. split; intros X; now apply has_0 in X.
      + intros s s' Is HS H i e E Ni. rewrite N.lor_spec in Ni. apply orb_false_iff in Ni. destruct Ni as [Nc Nl].
        fold b in Nl. rewrite (indexes_bit _ _ i e E) in Nl.
        assert (fixed : forall f d, has f d -> has s d -> d <> out -> has s' d).
        { intros f d _ Sd No. specialize (HS d Sd). unfold transpose in HS.
          destruct (N.eqb_spec d out); [easy|]. destruct (N.eqb_spec d into); auto. subst. exfalso.
          specialize (Is into Sd). rewrite has_lor in Is. destruct Is as [X|X]; auto. now apply has_0 in X. }
        destruct (H i e E Nc) as [d [D1 D2]].
        destruct (N.eq_dec d out) as [->|No].
        * destruct (has_dec e into) as [Ei|Ei].
          -- exists into. split; auto. specialize (HS out D2). unfold transpose in HS. now rewrite N.eqb_refl in HS.
          -- unfold has in D1. rewrite D1 in Nl. unfold has in Ei. destruct (N.testbit e into) eqn:Ei'; [easy|].
             simpl in Nl. apply not_true_iff_false in Nl. 
             assert (P : exists part, In part (others_hit c out (edges b) 0) /\ subset part e = true).
             { destruct (existsb (fun part => subset part e) (others_hit c out (edges b) 0)) eqn:X.
               - apply existsb_exists in X. destruct X as [part [X1 X2]]. eauto.
               - exfalso. apply Nl. apply forallb_forall. intros part I. apply negb_true_iff.
                 destruct (subset part e) eqn:Y; auto. rewrite <- X. symmetry. apply existsb_exists. eauto. }
             destruct P as [part [P1 P2]]. destruct (others_hit_spec _ _ _ _ _ P1) as [k [f [K1 [K2 [K3 ->]]]]].
             destruct (H k f K1) as [d [F1 F2]]; [now rewrite N.add_0_l in K2|].
             exists d. split.
             ++ apply subset_inside in P2. apply P2. rewrite has_land. split; auto.
                specialize (Is d F2). rewrite has_lor in Is. destruct Is as [X|X]; auto. now apply has_0 in X.
             ++ apply (fixed f); auto. intros ->. unfold has in F1. congruence.
        * exists d. split; auto. now apply (fixed e).
      + apply hits_others_upward.
  Qed.

End True.

Lemma start_true t : proved (on t) Two (Claim (all_edges t) 0).
Proof.
  split; [intros x X; now apply has_0 in X|]. split; [discriminate|]. apply secured, all_edges_hit.
Qed.

Lemma edge_true t e : sound_tables t -> In e (edges (on t)) -> proved (on t) One (Claim e 0).
Proof.
  intros T I. split; [intros x X; now apply has_0 in X|]. split; [intros _; now apply edges_inside|].
  apply secured. exists e. split; auto. intros c. auto.
Qed.

Theorem derive_true t p s tag bytes c rest : sound_tables t ->
  all_proved (on t) p s -> derive t p s tag bytes = Ok (c, rest) -> proved (on t) p c.
Proof.
  intros T A E. unfold derive in E.
  destruct p, tag as [|tag]; try discriminate;
  do 3 (try (destruct tag as [tag|tag|]; try discriminate)); split_reads E.
  all: try match type of E with context [nth_error] =>
    destruct (nth_error _ _) as [e|] eqn:F; [|discriminate]; injection E as <- _;
    apply edge_true; auto; now apply nth_error_In in F end.
  all: try match type of E with repeat _ (add_pair _) _ _ = _ =>
    refine (repeat_ok (proved (on t) Two) (add_pair t) _ _ _ _ _ _ (start_true t) E);
    intros; eapply pair_true; eauto end.
  all: try match type of E with repeat _ (add_part _ _ _) _ _ = _ =>
    refine (repeat_ok (proved (on t) Two) (add_part t Two s) _ _ _ _ _ _ (start_true t) E);
    intros; eapply part_true; eauto end.
  all: try match goal with R : repeat _ (add_reply _ ?q _) _ _ = Ok (?l, _), C : require (common _ _ _ =? 0) _ = _ |- _ =>
    injection E as <- _; apply require_ok, N.eqb_eq in C; apply step_true; auto;
    refine (repeat_ok (fun l => forall r, In r l -> fst r < cells (on t) /\ proved (on t) q (snd r))
              (add_reply t q s) _ _ _ _ _ _ _ R); [intros; eapply reply_true; eauto | intros r []] end.
  unfold ret in E. inversion E; subst c rest; clear E. apply require_ok, andb_prop in E3. destruct E3 as [H1 H2]. apply negb_true_iff in H2.
  apply number_below_ok in E2. apply swap_true; auto; [now apply reference_true in E0|]. unfold has. congruence.
Qed.

Lemma remember_true t p s c : all_proved (on t) p s -> proved (on t) p c -> all_proved (on t) p (remember s c).
Proof.
  intros A C i d. unfold remember. simpl. destruct (Pos.eq_dec i (N.succ_pos (snd s))) as [->|D].
  - rewrite PositiveMap.gss. now intros [= <-].
  - rewrite PositiveMap.gso; auto. apply A.
Qed.

Theorem records_true t p fuel : sound_tables t -> forall s bytes u rest,
  all_proved (on t) p s -> records t p fuel s bytes = Ok (u, rest) -> all_proved (on t) p u.
Proof.
  intros T. induction fuel as [|fuel IH]; simpl; intros s bytes u rest A E; [discriminate|].
  apply bind_ok in E. destruct E as [tag [v [E0 E]]]. destruct (tag =? 0); [injection E as <- _; exact A|].
  apply bind_ok in E. destruct E as [c [w [E1 E]]]. apply IH in E; auto. apply remember_true; auto.
  now apply derive_true in E1.
Qed.

Lemma last_true t p s bytes c rest : all_proved (on t) p s -> last_claim s bytes = Ok (c, rest) -> proved (on t) p c.
Proof.
  intros A E. unfold last_claim in E. destruct (snd s); [discriminate|].
  destruct (PositiveMap.find _ _) as [d|] eqn:F; [|discriminate]. injection E as <- _. now apply A in F.
Qed.
