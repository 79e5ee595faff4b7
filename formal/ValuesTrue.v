(** The bounds that [Values] computes hold. *)

From Coq Require Import NArith ZArith Arith List Bool Lia Permutation FMapPositive.
From Zermelo Require Import Rules Sets Domineering Sums Parts Numbers Order Regions Images Values.
Import ListNotations.
Open Scope Z_scope.

Lemma same_eq a : forall b, same a b = true -> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b]; simpl; try discriminate; auto. rewrite andb_true_iff, N.eqb_eq.
  intros [-> E]. f_equal. now apply IH.
Qed.

Lemma insert_permuted x l : Permutation (insert x l) (x :: l).
Proof.
  induction l as [|y l IH]; simpl; auto. destruct (x <=? y)%N; auto. rewrite IH. apply perm_swap.
Qed.

Lemma sort_permuted l : Permutation (sort l) l.
Proof. induction l as [|x l IH]; simpl; auto. rewrite insert_permuted. now constructor. Qed.

Lemma most_in l v : most l = Some v -> In v l.
Proof.
  revert v. induction l as [|x l IH]; simpl; intros v E; [discriminate|]. destruct (most l) as [w|]; injection E as <-; auto.
  destruct (Z.max_spec x w) as [[_ ->]|[_ ->]]; auto.
Qed.

Lemma Forall2_left {A B} (P : A -> B -> Prop) l m x : Forall2 P l m -> In x l -> exists y, In y m /\ P x y.
Proof. intros F. induction F; intros []; subst; [eexists; split; [now left | auto]|]. destruct IHF as [z [? ?]]; auto. exists z. simpl. auto. Qed.

Lemma Forall2_right {A B} (P : A -> B -> Prop) l m y : Forall2 P l m -> In y m -> exists x, In x l /\ P x y.
Proof. intros F. induction F; intros []; subst; [eexists; split; [now left | auto]|]. destruct IHF as [z [? ?]]; auto. exists z. simpl. auto. Qed.

Section True.
  Variables (a : area) (inner : N).
  Notation sum := (list part).
  Notation above := (Order.above a).
  Notation beyond := (Order.beyond a).
  Notation moved := (Sums.moved part (options a)).
  Notation shapes := (map (Region false)).
  Notation sound := (Values.sound a).
  Notation options_true := (Values.options_true a).

  Lemma canonical_equal f c : canonical a f = Some c -> above [Plain f] [Plain c] /\ above [Plain c] [Plain f].
  Proof.
    unfold canonical. cbv zeta.
    match goal with |- (let (_, _) := ?x in _) = _ -> _ => destruct x as [d [fr fc]] end.
    destruct (image _ _ _ _ _ _ _ _) eqn:I; [|discriminate]. intros E. injection E as <-.
    apply image_equal in I. tauto.
  Qed.

  Lemma least_true f : sound (least a f) (fun c => above [Plain f] [Plain c] /\ above [Plain c] [Plain f]).
  Proof.
    apply sound_memo.
    - intros x v T E. destruct x; try discriminate. destruct (N.eqb_spec f f0); [|discriminate]. injection E as <-. now subst.
    - destruct (canonical a f) eqn:E; [apply sound_give; now apply canonical_equal | apply sound_fail].
    - auto.
  Qed.

  Lemma uncut_halves p f g : uncut a p f g = true -> halves a p f g (N.ldiff f g).
  Proof.
    unfold uncut. rewrite andb_true_iff, subset_inside, forallb_forall. intros [I H]. split; [|split].
    - intros c. rewrite has_ldiff. specialize (I c). destruct (has_dec g c); tauto.
    - intros c. rewrite has_ldiff. tauto.
    - intros d D. assert (J := choice_inside _ _ _ _ D). apply in_choices in D. unfold choices in D. apply in_map_iff in D.
      destruct D as [s [<- D]]. apply H, eqb_prop in D. unfold inside.
      assert (J1 := J s ltac:(apply domino_two; auto)). assert (J2 := J (s + stride a p)%N ltac:(apply domino_two; auto)).
      destruct (N.testbit g s) eqn:T; [left | right]; intros c C; apply domino_two in C.
      + destruct C; subst; unfold has; congruence.
      + rewrite has_ldiff. unfold has at 2. destruct C; subst; split; auto; congruence.
  Qed.

  Lemma no_squares p : dominoes a p 0 = [].
  Proof.
    destruct (dominoes a p 0) as [|d l] eqn:E; auto. exfalso. assert (I : In d (dominoes a p 0)) by (rewrite E; now left).
    apply dominoes_spec in I. destruct I as [I [s [-> _]]]. apply (has_0 s). apply I, domino_two. auto.
  Qed.

  Lemma pieces_above gs : forall f, uncut_all a Two f gs = true -> above [Plain f] (shapes gs).
  Proof.
    induction gs as [|g gs IH]; simpl; intros f H.
    - apply N.eqb_eq in H. subst. apply drop_above, no_squares.
    - apply andb_true_iff in H. destruct H as [U H]. apply above_trans with ([Plain g] ++ [Plain (N.ldiff f g)]).
      + now apply cut_above, uncut_halves.
      + apply (above_app a [Plain g] [Plain g]); [apply above_refl | now apply IH].
  Qed.

  Lemma above_pieces gs : forall f, uncut_all a One f gs = true -> above (shapes gs) [Plain f].
  Proof.
    induction gs as [|g gs IH]; simpl; intros f H.
    - apply N.eqb_eq in H. subst. apply add_above, no_squares.
    - apply andb_true_iff in H. destruct H as [U H]. apply above_trans with ([Plain g] ++ [Plain (N.ldiff f g)]).
      + apply (above_app a [Plain g] [Plain g]); [apply above_refl | now apply IH].
      + now apply above_cut, uncut_halves.
  Qed.

  Lemma shapes_permuted g h : Permutation g h -> above (shapes g) (shapes h).
  Proof. intros P. apply above_permuted. now apply Permutation_map. Qed.

  Lemma shapes_sorted g : above (shapes g) (shapes (sort g)).
  Proof. apply shapes_permuted, Permutation_sym, sort_permuted. Qed.

  Lemma join_above v w : above (whole v ++ whole w) (whole (join v w)).
  Proof.
    unfold whole, join. cbn [fst snd].
    apply above_trans with ((shapes (snd v ++ snd w)) ++ [Num (fst v); Num (fst w)]).
    - apply above_permuted. rewrite map_app. permute.
    - apply above_app; [apply shapes_sorted|]. apply (numbers_above a [_; _] [_]). simpl. lia.
  Qed.

  Lemma number_part n : above [] [Num n] <-> n <= 0.
  Proof.
    split; [|intros L; apply (numbers_above a [] [n]); simpl; lia]. intros A. destruct (Z.le_gt_cases n 0); auto. exfalso.
    assert (G : Numbers.ge0 a []) by (apply (above_ge0 a [] [Num n]); auto; apply (numbers_ge0 a [n]); simpl; lia).
    assert (K : Numbers.ge0 a [Num (- n)]) by (apply (A [Num (- n)]), (numbers_ge0 a [n; - n]); simpl; lia).
    apply (ge0_not part (options a) negative (part_rank a) (part_negative_options a) part_negative_twice (part_options_smaller a) _ K).
    simpl. apply (numbers_gt0 a [- - n]). simpl. lia.
  Qed.

  Section Recursion.
    Variable fl : list N -> act (Z * Z).
    Definition bounds (g : list N) (nm : Z * Z) : Prop := above (shapes g) [Num (fst nm)] /\ beyond (shapes g) [Num (snd nm)].
    Hypothesis fl_true : forall g, sound (fl g) (bounds g).

    Lemma component_true g : sound (component_worth a fl g) (fun w => above [Plain g] (whole w)).
    Proof.
      eapply sound_next; [apply least_true|]. intros c [A _]. eapply sound_next; [apply fl_true|]. intros nm [B _].
      apply sound_give. apply above_trans with (1 := A). destruct (snd nm <? fst nm); [exact B|].
      apply (above_app a [Plain c] [Plain c] [] [Num 0]); [apply above_refl | now apply number_part].
    Qed.

    Lemma worth_true f : sound (worth_of a inner fl f) (fun w => above [Plain f] (whole w)).
    Proof.
      apply sound_memo.
      - intros x v T E. destruct x; try discriminate. destruct (N.eqb_spec f f0); [|discriminate]. injection E as <-. now subst.
      - cbv zeta. set (gs := components a inner 300 f). destruct (uncut_all a Two f gs) eqn:U; [|apply sound_fail]. apply pieces_above in U.
        eapply sound_next; [apply (sound_each _ _ (fun g w => above [Plain g] (whole w))); intros g _; apply component_true|]. intros ws F. apply sound_give.
        apply above_trans with (1 := U). clear U. clearbody gs. induction F as [|g w gs ws G F IH]; simpl.
        + now apply number_part.
        + apply above_trans with (whole w ++ whole (fold_right join (0, []) ws)); [|apply join_above].
          now apply (above_app a [Plain g]).
      - auto.
    Qed.

    Lemma all_moves s c ws : Forall2 (fun d w => above [Plain (N.ldiff c d)] (whole w)) (choices a (owner s false) c) ws ->
      options_true s [Plain c] (nodup worth_eq_dec ws) id.
    Proof.
      intros F. split; unfold id.
      - intros y M. apply moved_region in M. destruct M as [d [I ->]]. apply in_choices in I.
        destruct (Forall2_left _ _ _ _ F I) as [w [J A]]. exists w. rewrite nodup_In. auto.
      - intros o I. apply nodup_In in I. destruct (Forall2_right _ _ _ _ F I) as [d [J A]]. apply in_choices in J.
        exists [Plain (N.ldiff c d)]. split; auto. now apply region_moves.
    Qed.

    Lemma shape_moves_true c : sound (shape_moves a inner fl c) (fun v =>
      options_true Left [Plain c] (fst v) id /\ options_true Right [Plain c] (snd v) id).
    Proof.
      apply sound_memo.
      - intros x v T E. destruct x; try discriminate. destruct (N.eqb_spec c c0); [|discriminate]. injection E as <-. now subst.
      - eapply sound_next; [apply (sound_each _ _ (fun d w => above [Plain (N.ldiff c d)] (whole w))); intros d _; apply worth_true|]. intros ls L.
        eapply sound_next; [apply (sound_each _ _ (fun d w => above [Plain (N.ldiff c d)] (whole w))); intros d _; apply worth_true|]. intros rs Rs.
        apply sound_give. split; [now apply (all_moves Left) | now apply (all_moves Right)].
      - auto.
    Qed.

    Lemma option_whole before rest y o : above y (whole o) ->
      above (shapes before ++ y ++ shapes rest) (whole (fst o, sort (before ++ rest ++ snd o))).
    Proof.
      intros A. unfold whole in *. cbn [fst snd].
      apply above_trans with (shapes before ++ (shapes (snd o) ++ [Num (fst o)]) ++ shapes rest).
      - apply above_app; [apply above_refl|]. apply above_app; [exact A | apply above_refl].
      - apply above_trans with (shapes (before ++ rest ++ snd o) ++ [Num (fst o)]).
        + apply above_permuted. rewrite !map_app. permute.
        + apply above_app; [apply shapes_sorted | apply above_refl].
    Qed.

    Lemma options_of_true s after : forall before,
      sound (options_of a inner fl s before after) (fun os => options_true s (shapes after) os (fun y => shapes before ++ y)).
    Proof.
      induction after as [|c after IH]; intros before; cbn [options_of].
      - apply sound_give. split; [intros y M; inversion M | intros o []].
      - eapply sound_next; [apply shape_moves_true|]. intros ms MS. eapply sound_next; [apply IH|]. intros os [C Re].
        apply sound_give. set (l := match s with Left => fst ms | Right => snd ms end).
        assert (T : options_true s [Plain c] l id) by (destruct s; apply MS). clear MS. destruct T as [C1 R1]. split.
        + intros y M. inversion M as [? b ? I | ? ? z M']; subst.
          * destruct (C1 [b]) as [o [J A]]; [now constructor|]. exists (fst o, sort (before ++ after ++ snd o)). split.
            -- apply in_or_app. left. apply in_map_iff. eauto.
            -- now apply (option_whole before after [b] o).
          * destruct (C z M') as [o [J A]]. exists o. split; [apply in_or_app; auto|].
            rewrite map_app, <- app_assoc in A. exact A.
        + intros o I. apply in_app_or in I. destruct I as [I|I].
          * apply in_map_iff in I. destruct I as [v [<- I]]. destruct (R1 v I) as [y [M A]].
            exists (y ++ shapes after). split; [now apply (moved_first a s [Plain c])|]. now apply option_whole.
          * destruct (Re o I) as [y [M A]]. exists (Plain c :: y). split; [now constructor|].
            rewrite map_app, <- app_assoc in A. exact A.
    Qed.

    Lemma whole_floor o n : above (shapes (snd o)) [Num n] -> above (whole o) [Num (fst o + n)].
    Proof.
      intros A. apply above_trans with ([Num n] ++ [Num (fst o)]); [apply above_app; [exact A | apply above_refl]|].
      apply (numbers_above a [_; _] [_]). simpl. lia.
    Qed.

    Lemma whole_beyond o n : beyond (shapes (snd o)) [Num n] -> beyond (whole o) [Num (fst o + n)].
    Proof.
      intros A. apply beyond_above with ([Num n] ++ [Num (fst o)]); [apply beyond_app; [exact A | apply above_refl]|].
      apply (numbers_above a [_; _] [_]). simpl. lia.
    Qed.

    Lemma find_floors_true g : sound (find_floors a inner fl g) (bounds g).
    Proof.
      unfold find_floors. eapply sound_next; [apply options_of_true|]. intros ls [_ LR].
      eapply sound_next; [apply options_of_true|]. intros rs [RC _]. cbn [map app] in *.
      eapply sound_next; [apply (sound_each _ _ (fun o v => above (whole o) [Num v])); intros o _;
        eapply sound_next; [apply fl_true|]; intros nm [B _]; apply sound_give; now apply whole_floor|].
      intros lv LV. eapply sound_next; [apply (sound_each _ _ (fun o v => beyond (whole o) [Num v])); intros o _;
        eapply sound_next; [apply fl_true|]; intros nm [_ B]; apply sound_give; now apply whole_beyond|].
      intros rv RV. set (n := candidate _ _). destruct (_ && _) eqn:T; [|apply sound_fail].
      apply andb_true_iff in T. rewrite !forallb_forall in T. destruct T as [TR TL].
      assert (L : forall v, In v lv -> beyond (shapes g) [Num v]).
      { intros v I. destruct (Forall2_right _ _ _ _ LV I) as [o [J A]]. destruct (LR o J) as [y [M A']].
        apply option_beyond with y; auto. now apply above_trans with (whole o). }
      assert (F : above (shapes g) [Num n]).
      { apply floor_above.
        - intros y M. destruct (RC y M) as [o [J A]]. destruct (Forall2_left _ _ _ _ RV J) as [v [I B]].
          apply above_beyond with (1 := A). apply beyond_above with (1 := B). apply number_above. now apply Z.leb_le, TR.
        - intros w I. apply TL, existsb_exists in I. destruct I as [v [I W]]. apply beyond_above with [Num v]; [now apply L|].
          apply number_above. now apply Z.leb_le. }
      assert (D : beyond (shapes g) [Num (n - 1)]).
      { apply above_beyond with [Num n]; auto. apply (numbers_beyond a [n] [n - 1]). simpl. lia. }
      apply sound_give. split; auto. cbn [snd]. destruct (most lv) as [l|] eqn:E; auto. apply most_in, L in E.
      destruct (Z.max_spec l (n - 1)) as [[_ ->]|[_ ->]]; auto.
    Qed.
  End Recursion.

  Theorem floors_true fuel : forall g, sound (floors a inner fuel g) (bounds g).
  Proof.
    induction fuel as [|fuel IH]; intros g; [apply sound_fail|]. cbn [floors]. apply sound_memo.
    - intros x v T E. destruct x; try discriminate. destruct (same g g0) eqn:S; [|discriminate]. injection E as <-.
      apply same_eq in S. now subst.
    - now apply find_floors_true.
    - auto.
  Qed.

  Lemma minimum aim vs : fold_right Z.min aim vs <= aim /\ forall v, In v vs -> fold_right Z.min aim vs <= v.
  Proof.
    induction vs as [|w vs [IH1 IH2]]; simpl; [split; [lia | intros v []]|]. split; [lia|]. intros v [<-|I]; [lia|].
    specialize (IH2 v I). lia.
  Qed.

  Lemma less_switch m n t : m <= n -> above [Num n; Switch t] [Num m; Switch t].
  Proof. intros L. apply (above_app a [Num n] [Num m]); [now apply number_above | apply above_refl]. Qed.

  Lemma whole_switch o m t : above (shapes (snd o)) [Num m; Switch t] -> above (whole o) [Num (fst o + m); Switch t].
  Proof.
    intros A. apply above_trans with ([Num m; Switch t] ++ [Num (fst o)]); [apply above_app; [exact A | apply above_refl]|].
    apply above_trans with ([Num m; Num (fst o)] ++ [Switch t]); [apply above_permuted; permute|].
    apply (above_app a _ [_]); [|apply above_refl]. apply (numbers_above a [_; _] [_]). simpl. lia.
  Qed.

  Theorem switch_true fuel t : 0 <= t -> forall g, sound (switch a inner fuel t g) (fun m => above (shapes g) [Num m; Switch t]).
  Proof.
    intros T. induction fuel as [|fuel IH]; intros g; [apply sound_fail|]. cbn [switch]. destruct g as [|c g].
    - apply sound_give. apply show_above. cbn [map app Sums.minus negative].
      apply permute_ge0 with ([Switch t] ++ [Num (- (- 1 - t))]); [permute|]. apply lone_switch; auto.
      apply (numbers_ge0 a [- t - 1; - (- 1 - t)]). cbn [total fold_right]. lia.
    - set (x := c :: g). apply sound_memo.
      + intros y v Y E. destruct y; try discriminate. destruct (Z.eqb_spec t t0); [|discriminate].
        destruct (same x g0) eqn:S; [|discriminate]. injection E as <-. apply same_eq in S. subst t0 g0. exact Y.
      + eapply sound_next; [apply floors_true|]. intros nm [_ B]. cbv zeta.
        eapply sound_next; [apply options_of_true; apply floors_true|]. intros rs [RC _].
        eapply sound_next; [apply (sound_each _ _ (fun o b => beyond (whole o) [Num b; Switch t]))|].
        * intros o _. eapply sound_next; [apply floors_true|]. intros om [BO _].
          assert (Q : beyond (whole o) [Num (fst om + fst o + t); Switch t]).
          { apply switch_answers. apply whole_floor in BO. apply above_trans with (1 := BO). apply number_above. lia. }
          destruct (_ <=? _); [now apply sound_give|].
          eapply sound_next; [apply options_of_true; apply floors_true|]. intros ls [_ LR].
          apply sound_through; auto. intros r b I Qb. destruct (_ <=? b); [now apply sound_give|].
          eapply sound_next; [apply IH|]. intros v V. apply sound_give.
          destruct (Z.max_spec b (fst o + fst r + v)) as [[_ ->]|[_ ->]]; auto.
          destruct (LR r I) as [y [M A]]. simpl in A.
          apply (option_beyond a (whole o) (y ++ [Num (fst o)])); [now apply moved_first|].
          apply above_trans with (whole r ++ [Num (fst o)]); [apply above_app; [exact A | apply above_refl]|].
          apply whole_switch in V. apply above_trans with ([Num (fst r + v); Switch t] ++ [Num (fst o)]);
            [apply above_app; [exact V | apply above_refl]|].
          apply above_trans with ([Num (fst r + v); Num (fst o)] ++ [Switch t]); [apply above_permuted; permute|].
          apply (above_app a _ [_]); [|apply above_refl]. apply (numbers_above a [_; _] [_]). simpl. lia.
        * intros vs F. apply sound_give. destruct (minimum (snd nm - t) vs) as [M1 M2]. apply switch_above; auto.
          -- apply beyond_above with (1 := B). apply number_above. lia.
          -- intros y M. destruct (RC y M) as [o [I A]]. simpl in A. destruct (Forall2_left _ _ _ _ F I) as [b [J Q]].
             apply above_beyond with (1 := A). apply beyond_above with (1 := Q). now apply less_switch, M2.
      + auto.
  Qed.

  Theorem moved_switch_true t g : 0 <= t -> sound (moved_switch a inner t g)
    (fun m => match m with Some m => beyond (shapes g) [Num m; Switch t] | None => True end).
  Proof.
    intros T. apply sound_memo.
    - intros y v Y E. destruct y; try discriminate. destruct (Z.eqb_spec t t0); [|discriminate].
      destruct (same g g0) eqn:S; [|discriminate]. injection E as <-. apply same_eq in S. subst t0 g0. exact Y.
    - eapply sound_next; [apply options_of_true; apply floors_true|]. intros ls [_ LR].
      eapply sound_next; [apply (sound_each _ _ (fun o v => above (whole o) [Num v; Switch t])); intros o _;
        eapply sound_next; [now apply switch_true|]; intros v V; apply sound_give; now apply whole_switch|].
      intros vs F. apply sound_give. destruct (most vs) as [v|] eqn:E; auto. apply most_in in E.
      destruct (Forall2_right _ _ _ _ F E) as [o [I A]]. destruct (LR o I) as [y [M A']].
      apply option_beyond with y; auto. now apply above_trans with (whole o).
    - auto.
  Qed.
End True.
