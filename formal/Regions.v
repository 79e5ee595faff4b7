(** Regions of a board as parts of a sum: cuts, images, rows and columns (FORMAT.md 4.3, 5.1), and the link to the rules. *)

From Coq Require Import NArith ZArith Arith List Bool Lia Permutation.
From Zermelo Require Import Rules Sets Domineering Sums Parts Numbers Order.
Import ListNotations.
Open Scope N_scope.

Notation Plain f := (Region false f).

(** * The squares of a set and the legal dominoes, computed fast *)

Fixpoint bits_from (p : positive) (c : N) : list N :=
  match p with
  | xH => [c]
  | xO p => bits_from p (N.succ c)
  | xI p => c :: bits_from p (N.succ c)
  end.

Definition squares (s : N) : list N := match s with 0 => [] | Npos p => bits_from p 0 end.

Definition stride (a : area) (p : player) : N := match p with One => cols a | Two => 1 end.

Definition on_board (a : area) (p : player) (s : N) : bool := fits a p s && (s <? rows a * cols a).

(** The upper or left squares of the legal dominoes. *)
Definition starts (a : area) (p : player) (f : N) : list N :=
  filter (on_board a p) (squares (N.land f (N.shiftr f (stride a p)))).

Definition choices (a : area) (p : player) (f : N) : list N := map (domino a p) (starts a p f).

Lemma in_bits_from p : forall c d, In d (bits_from p c) <-> c <= d /\ N.testbit (Npos p) (d - c) = true.
Proof.
  induction p as [p IH|p IH|]; intros c d; simpl bits_from.
  - cbn [In]. rewrite IH. split.
    + intros [<-|[L T]]; [rewrite N.sub_diag; split; [lia | reflexivity]|]. split; [lia|].
      replace (d - c) with (N.succ (d - N.succ c)) by lia. change (Npos p~1) with (2 * Npos p + 1). now rewrite N.testbit_odd_succ by lia.
    + intros [L T]. destruct (N.eq_dec c d) as [->|E]; [now left | right]. split; [lia|].
      replace (d - c) with (N.succ (d - N.succ c)) in T by lia. change (Npos p~1) with (2 * Npos p + 1) in T.
      now rewrite N.testbit_odd_succ in T by lia.
  - rewrite IH. split.
    + intros [L T]. split; [lia|]. replace (d - c) with (N.succ (d - N.succ c)) by lia.
      change (Npos p~0) with (2 * Npos p). now rewrite N.testbit_even_succ by lia.
    + intros [L T]. destruct (N.eq_dec c d) as [->|E]; [rewrite N.sub_diag in T; discriminate|]. split; [lia|].
      replace (d - c) with (N.succ (d - N.succ c)) in T by lia. change (Npos p~0) with (2 * Npos p) in T.
      now rewrite N.testbit_even_succ in T by lia.
  - cbn [In]. split.
    + intros [<-|[]]. rewrite N.sub_diag. split; [lia | reflexivity].
    + intros [L T]. left. destruct (N.eq_dec d c) as [E|E]; auto. exfalso.
      replace (d - c) with (N.succ (d - N.succ c)) in T by lia. change 1 with (2 * 0 + 1) in T.
      rewrite N.testbit_odd_succ, N.bits_0 in T by lia. discriminate.
Qed.

Lemma in_squares s c : In c (squares s) <-> has s c.
Proof.
  destruct s as [|p]; simpl; [split; [easy | intros H; now apply has_0 in H]|].
  rewrite in_bits_from, N.sub_0_r. unfold has. intuition lia.
Qed.

Lemma domino_two a p s c : has (domino a p s) c <-> c = s \/ c = s + stride a p.
Proof. unfold domino. rewrite !has_set. destruct p; simpl; intuition; exfalso; eapply has_0; eauto. Qed.

Lemma in_starts a p f s : In s (starts a p f) <-> on_board a p s = true /\ has f s /\ has f (s + stride a p).
Proof.
  unfold starts. rewrite filter_In, in_squares, has_land. unfold has at 2. rewrite N.shiftr_spec'. unfold has. tauto.
Qed.

Lemma in_choices a p f d : In d (choices a p f) <-> In d (dominoes a p f).
Proof.
  unfold choices. rewrite in_map_iff, dominoes_spec. split.
  - intros [s [<- I]]. apply in_starts in I. destruct I as [B [H1 H2]]. apply andb_true_iff in B. rewrite N.ltb_lt in B.
    split; [intros c C; apply domino_two in C; destruct C; subst; auto | exists s; tauto].
  - intros [I [s [-> [F L]]]]. exists s. split; auto. apply in_starts. unfold on_board. rewrite F, (proj2 (N.ltb_lt _ _) L).
    repeat split; apply I, domino_two; auto.
Qed.

Lemma choice_inside a p f d : In d (dominoes a p f) -> inside d f.
Proof. intros I. now apply dominoes_spec in I. Qed.

Lemma choice_elsewhere a p f g d : In d (dominoes a p f) -> inside d g -> In d (dominoes a p g).
Proof. rewrite !dominoes_spec. tauto. Qed.

Section Regions.
  Variable a : area.

  Notation sum := (list part).
  Notation moved := (Sums.moved part (options a)).
  Notation above := (Order.above a).
  Let smaller := part_options_smaller a.

  Lemma moved_region s b f y : moved s [Region b f] y ->
    exists d, In d (dominoes a (owner s b) f) /\ y = [Region b (N.ldiff f d)].
  Proof.
    intros M. inversion M as [? c ? I | ? ? ? M']; subst; [|inversion M']. simpl in I. apply in_map_iff in I.
    destruct I as [d [<- I]]. eauto.
  Qed.

  Lemma region_moves s b f d x : In d (dominoes a (owner s b) f) -> moved s (Region b f :: x) (Region b (N.ldiff f d) :: x).
  Proof. intros I. constructor. simpl. now apply (in_map (fun d => Region b (N.ldiff f d))). Qed.

  (** * A region and two halves of it: no domino of player p lies in both. *)

  Definition halves (p : player) (f g h : N) : Prop :=
    (forall c, has f c <-> has g c \/ has h c) /\ apart g h /\
    (forall d, In d (dominoes a p f) -> inside d g \/ inside d h).

  Lemma halves_swap p f g h : halves p f g h -> halves p f h g.
  Proof.
    intros [U [A C]]. split; [|split].
    - intros c. rewrite U. tauto.
    - intros c. specialize (A c). tauto.
    - intros d I. specialize (C d I). tauto.
  Qed.

  Lemma halves_after p f g h d : halves p f g h -> inside d g -> halves p (N.ldiff f d) (N.ldiff g d) h.
  Proof.
    intros [U [A C]] I. split; [|split].
    - intros c. rewrite !has_ldiff, U. specialize (A c). specialize (I c). tauto.
    - intros c. rewrite has_ldiff. specialize (A c). tauto.
    - intros e E. assert (J := choice_inside _ _ _ _ E). assert (E' : In e (dominoes a p f)).
      { apply choice_elsewhere with (1 := E). intros c X. apply J in X. now apply has_ldiff in X. }
      destruct (C e E') as [K|K]; [left | now right]. intros c X. rewrite has_ldiff. split; auto.
      apply J in X. now apply has_ldiff in X.
  Qed.

  Lemma half_choice q p f g h d : halves p f g h -> In d (dominoes a q g) -> In d (dominoes a q f).
  Proof.
    intros [U _] I. apply choice_elsewhere with (1 := I). intros c X. apply U. left. now apply (choice_inside _ _ _ _ I).
  Qed.

  Lemma moved_halves s g h y : moved s [Plain g; Plain h] y ->
    exists d, (In d (dominoes a (owner s false) g) /\ y = [Plain (N.ldiff g d); Plain h])
              \/ (In d (dominoes a (owner s false) h) /\ y = [Plain g; Plain (N.ldiff h d)]).
  Proof.
    intros M. apply (moved_either a s [Plain g] [Plain h]) in M. destruct M as [[y' [M ->]] | [y' [M ->]]];
      apply moved_region in M; destruct M as [d [I ->]]; exists d; simpl; auto.
  Qed.

  (** Where no domino of Horizontal crosses the cut, the region is worth the halves at least. *)
  Lemma cut_above f g h : halves Two f g h -> above [Plain f] [Plain g; Plain h].
  Proof.
    intros H. apply (imitation_above a (fun x y => exists f g h, x = [Plain g; Plain h] /\ y = [Plain f] /\ halves Two f g h)); [|eauto 10].
    clear. intros x y [f [g [h [-> [-> H]]]]]. split; intros z M.
    - apply moved_region in M. destruct M as [d [I ->]]. destruct (proj2 (proj2 H) d I) as [J|J].
      + exists [Plain (N.ldiff g d); Plain h]. split; [|eauto 10 using halves_after].
        apply region_moves. now apply choice_elsewhere with (1 := I).
      + exists [Plain g; Plain (N.ldiff h d)]. split.
        * constructor. apply region_moves. now apply choice_elsewhere with (1 := I).
        * exists (N.ldiff f d), g, (N.ldiff h d). do 2 (split; [reflexivity|]); apply halves_swap, halves_after; auto using halves_swap.
    - apply moved_halves in M. destruct M as [d [[I ->] | [I ->]]].
      + exists [Plain (N.ldiff f d)]. split; [apply region_moves; exact (half_choice _ _ _ _ _ _ H I)|].
        exists (N.ldiff f d), (N.ldiff g d), h. do 2 (split; [reflexivity|]); apply halves_after; auto; eapply choice_inside; eauto.
      + exists [Plain (N.ldiff f d)]. split; [apply region_moves; exact (half_choice _ _ _ _ _ _ (halves_swap _ _ _ _ H) I)|].
        exists (N.ldiff f d), g, (N.ldiff h d). do 2 (split; [reflexivity|]); apply halves_swap, halves_after;
          auto using halves_swap; eapply choice_inside; eauto.
  Qed.

  (** Where no domino of Vertical does, the halves are worth the region at least. *)
  Lemma above_cut f g h : halves One f g h -> above [Plain g; Plain h] [Plain f].
  Proof.
    intros H. apply (imitation_above a (fun y x => exists f g h, x = [Plain g; Plain h] /\ y = [Plain f] /\ halves One f g h)); [|eauto 10].
    clear. intros y x [f [g [h [-> [-> H]]]]]. split; intros z M.
    - apply moved_halves in M. destruct M as [d [[I ->] | [I ->]]].
      + exists [Plain (N.ldiff f d)]. split; [apply region_moves; exact (half_choice _ _ _ _ _ _ H I)|].
        exists (N.ldiff f d), (N.ldiff g d), h. do 2 (split; [reflexivity|]); apply halves_after; auto; eapply choice_inside; eauto.
      + exists [Plain (N.ldiff f d)]. split; [apply region_moves; exact (half_choice _ _ _ _ _ _ (halves_swap _ _ _ _ H) I)|].
        exists (N.ldiff f d), g, (N.ldiff h d). do 2 (split; [reflexivity|]); apply halves_swap, halves_after;
          auto using halves_swap; eapply choice_inside; eauto.
    - apply moved_region in M. destruct M as [d [I ->]]. destruct (proj2 (proj2 H) d I) as [J|J].
      + exists [Plain (N.ldiff g d); Plain h]. split; [|eauto 10 using halves_after].
        apply region_moves. now apply choice_elsewhere with (1 := I).
      + exists [Plain g; Plain (N.ldiff h d)]. split.
        * constructor. apply region_moves. now apply choice_elsewhere with (1 := I).
        * exists (N.ldiff f d), g, (N.ldiff h d). do 2 (split; [reflexivity|]); apply halves_swap, halves_after; auto using halves_swap.
  Qed.

  (** A region without a move of Right may be left out, and one without a move of Left may be added. *)
  Lemma drop_above f : dominoes a Two f = [] -> above [Plain f] [].
  Proof.
    intros H. apply (imitation_above a (fun x y => x = [] /\ exists f, y = [Plain f] /\ dominoes a Two f = [])); [|eauto 10].
    clear. intros x y [-> [f [-> H]]]. split; intros z M; [|inversion M].
    apply moved_region in M. destruct M as [d [I ->]]. simpl in I. now rewrite H in I.
  Qed.

  Lemma add_above f : dominoes a One f = [] -> above [] [Plain f].
  Proof.
    intros H. apply (imitation_above a (fun y x => x = [] /\ exists f, y = [Plain f] /\ dominoes a One f = [])); [|eauto 10].
    clear. intros y x [-> [f [-> H]]]. split; intros z M; [inversion M|].
    apply moved_region in M. destruct M as [d [I ->]]. simpl in I. now rewrite H in I.
  Qed.

  (** * Rows and columns *)

  Lemma none_after p f d : dominoes a p f = [] -> dominoes a p (N.ldiff f d) = [].
  Proof.
    intros E. destruct (dominoes a p (N.ldiff f d)) as [|e l] eqn:D; auto. exfalso.
    assert (I : In e (dominoes a p (N.ldiff f d))) by (rewrite D; now left).
    assert (J : In e (dominoes a p f)); [|now rewrite E in J].
    apply choice_elsewhere with (1 := I). intros c X. apply (choice_inside _ _ _ _ I) in X. now apply has_ldiff in X.
  Qed.

  Lemma two_fewer p f d : In d (dominoes a p f) -> (S (S (size a (State One (N.ldiff f d)))) <= size a (State One f))%nat.
  Proof.
    intros I. apply dominoes_spec in I. destruct I as [I [s [-> [F L]]]]. unfold size. cbn [free].
    assert (L2 : s + stride a p < rows a * cols a).
    { destruct p; simpl in *; [now apply N.ltb_lt|]. apply N.ltb_lt in F. assert (cols a <> 0) by lia.
      assert (Q := N.div_mod s (cols a) ltac:(auto)).
      assert (s / cols a < rows a) by (apply N.div_lt_upper_bound; auto; lia). nia. }
    assert (H : forall c, N.testbit (N.ldiff f (domino a p s)) c = true <-> has f c /\ c <> s /\ c <> s + stride a p).
    { intros c. change (has (N.ldiff f (domino a p s)) c <-> has f c /\ c <> s /\ c <> s + stride a p).
      rewrite has_ldiff, domino_two. tauto. }
    assert (Fs : has f s) by (apply I, domino_two; auto).
    assert (Ft : has f (s + stride a p)) by (apply I, domino_two; auto).
    assert (A : s <> s + stride a p).
    { destruct p; simpl in *; [|lia]. intros E. assert (Z : cols a = 0) by lia. rewrite Z, N.mul_0_r in L. lia. }
    assert (B1 : (length (filter (N.testbit (N.ldiff f (domino a p s))) (up_to (rows a * cols a))) <
                  length (filter (N.testbit (N.clearbit f s)) (up_to (rows a * cols a))))%nat).
    { apply filter_fewer with (s + stride a p).
      - intros c C. apply H in C. apply has_clear. tauto.
      - now apply in_up_to.
      - apply has_clear. split; auto.
      - destruct (N.testbit _ _) eqn:T; auto. apply H in T. tauto. }
    assert (B2 : (length (filter (N.testbit (N.clearbit f s)) (up_to (rows a * cols a))) <
                  length (filter (N.testbit f) (up_to (rows a * cols a))))%nat).
    { apply filter_fewer with s.
      - intros c C. apply has_clear in C. apply C.
      - now apply in_up_to.
      - exact Fs.
      - destruct (N.testbit _ _) eqn:T; auto. apply has_clear in T. tauto. }
    lia.
  Qed.

  Lemma integer_left k : In (64 * Z.of_nat k)%Z (number_options Left (64 * Z.of_nat (S k))).
  Proof.
    unfold number_options, step. replace (64 * Z.of_nat (S k))%Z with (Z.of_nat (S k) * 64)%Z by lia. rewrite Z.mod_mul by lia.
    change (0 =? 0)%Z with true. destruct (Z.leb_spec (Z.of_nat (S k) * 64) 0); [lia|]. left. lia.
  Qed.

  Lemma integer_right k w : ~ In w (number_options Right (64 * Z.of_nat k)).
  Proof.
    unfold number_options. rewrite Z.mul_comm, Z.mod_mul by lia.
    change (0 =? 0)%Z with true. destruct (Z.leb_spec 0 (Z.of_nat k * 64)); [intros [] | lia].
  Qed.

  Lemma minus_integer_right k w : In w (number_options Right (- (64 * Z.of_nat (S k)))) -> w = (- (64 * Z.of_nat k))%Z.
  Proof.
    intros I. apply right_of_opposite in I. unfold number_options, step in I.
    replace (64 * Z.of_nat (S k))%Z with (Z.of_nat (S k) * 64)%Z in I by lia. rewrite Z.mod_mul in I by lia. change (0 =? 0)%Z with true in I.
    destruct (Z.leb_spec (Z.of_nat (S k) * 64) 0); [lia|]. destruct I as [I|[]]. lia.
  Qed.

  (** Right places dominoes in a region of at most 2k + 1 squares, at most k; Left has k free moves. *)
  Lemma few_moves b k : forall f, dominoes a (owner Left b) f = [] -> (size a (State One f) <= 2 * k + 1)%nat ->
    Numbers.ge0 a [Num (64 * Z.of_nat k); Region b f].
  Proof.
    induction k as [|k IH]; intros f H W; constructor; intros y M;
      apply (moved_either a Right [Num _] [Region b f]) in M; destruct M as [[y' [M ->]] | [y' [M ->]]].
    - apply moved_number in M. destruct M as [w [I _]]. now apply integer_right in I.
    - apply moved_region in M. destruct M as [d [I ->]]. apply two_fewer in I. lia.
    - apply moved_number in M. destruct M as [w [I _]]. now apply integer_right in I.
    - apply moved_region in M. destruct M as [d [I ->]].
      apply some_move with ([Num (64 * Z.of_nat k)] ++ [Region b (N.ldiff f d)]).
      + apply moved_first. constructor. simpl options. apply in_map, integer_left.
      + apply IH; [now apply none_after|]. apply two_fewer in I. lia.
  Qed.

  (** How many dominoes of a player are found one after the other. *)
  Fixpoint greedy (p : player) (fuel : nat) (f : N) : nat :=
    match fuel with
    | O => O
    | S fuel => match choices a p f with [] => O | d :: _ => S (greedy p fuel (N.ldiff f d)) end
    end.

  (** Left has as many moves as were found, and Right none. *)
  Lemma many_moves b fuel : forall f, dominoes a (owner Right b) f = [] ->
    Numbers.ge0 a [Num (- (64 * Z.of_nat (greedy (owner Left b) fuel f))); Region b f].
  Proof.
    induction fuel as [|fuel IH]; intros f H; cbn [greedy]; [|destruct (choices a (owner Left b) f) as [|d l] eqn:D];
      constructor; intros y M; apply (moved_either a Right [Num _] [Region b f]) in M; destruct M as [[y' [M ->]] | [y' [M ->]]];
      try (apply moved_region in M; destruct M as [e [I _]]; now rewrite H in I);
      try (apply moved_number in M; destruct M as [w [I _]]; now apply (integer_right 0) in I).
    apply moved_number in M. destruct M as [w [I ->]]. apply minus_integer_right in I. subst w.
    apply some_move with ([Num (- (64 * Z.of_nat (greedy (owner Left b) fuel (N.ldiff f d))))] ++ [Region b (N.ldiff f d)]).
    - apply moved_second. apply region_moves. apply in_choices. rewrite D. now left.
    - now apply IH, none_after.
  Qed.

  Lemma swap_two x y : Numbers.ge0 a [x; y] -> Numbers.ge0 a [y; x].
  Proof. apply (permute_ge0 a). permute. Qed.

  Definition odd_or_even (k : nat) (f : N) : bool := (length (filter (N.testbit f) (up_to (rows a * cols a))) <=? 2 * k + 1)%nat.

  (** A column is worth half of its length, a row the negative. *)
  Lemma column_equal fuel f : let k := greedy One fuel f in dominoes a Two f = [] -> odd_or_even k f = true ->
    above [Plain f] [Num (64 * Z.of_nat k)] /\ above [Num (64 * Z.of_nat k)] [Plain f].
  Proof.
    intros k H W. apply Nat.leb_le in W. split; apply show_above; simpl.
    - apply swap_two. now apply (many_moves false fuel).
    - now apply (few_moves true k).
  Qed.

  Lemma row_equal fuel f : let k := greedy Two fuel f in dominoes a One f = [] -> odd_or_even k f = true ->
    above [Plain f] [Num (- (64 * Z.of_nat k))] /\ above [Num (- (64 * Z.of_nat k))] [Plain f].
  Proof.
    intros k H W. apply Nat.leb_le in W. split; apply show_above; simpl.
    - apply swap_two. rewrite Z.opp_involutive. now apply (few_moves false k).
    - now apply (many_moves true fuel).
  Qed.

  (** * The rules *)

  Lemma owner_other s b : owner (opposite s) b = other (owner s b).
  Proof. now destruct s, b. Qed.

  Lemma ge0_wins_both b n : forall f, (size a (State One f) <= n)%nat ->
    (Numbers.ge0 a [Region b f] -> @wins (domineering a) (owner Left b) (State (owner Right b) f)) /\
    (Numbers.gt0 a [Region b f] -> @wins (domineering a) (owner Left b) (State (owner Left b) f)).
  Proof.
    induction n as [n IH] using lt_wf_ind. intros f W.
    assert (O : other (owner Right b) = owner Left b) by now destruct b.
    assert (O' : other (owner Left b) = owner Right b) by now destruct b.
    split; intros G.
    - destruct (dominoes a (owner Right b) f) as [|e l] eqn:D.
      + apply at_end with (Won (owner Left b)); auto. cbn [over domineering to_move free]. rewrite D. now rewrite O.
      + apply any_reply; [cbn [over domineering to_move free]; now rewrite D | cbn [mover domineering to_move]; now rewrite O'|].
        intros y I. cbn [moves domineering to_move free] in I. apply in_map_iff in I. destruct I as [d [<- I]]. unfold place. cbn [to_move free]. rewrite O.
        assert (F := two_fewer _ _ _ I). apply (IH (size a (State One (N.ldiff f d))) ltac:(lia) _ (le_n _)).
        apply (ge0_answer part (options a)) with (1 := G). now apply region_moves.
    - apply gt0_move in G. destruct G as [y [M G]]. apply moved_region in M. destruct M as [d [I ->]].
      apply own_move with (State (owner Right b) (N.ldiff f d)); auto.
      + cbn [over domineering to_move free]. destruct (dominoes a (owner Left b) f); [easy | reflexivity].
      + cbn [moves domineering to_move free]. apply in_map_iff. exists d. unfold place. cbn [to_move free]. now rewrite O'.
      + assert (F := two_fewer _ _ _ I). now apply (IH (size a (State One (N.ldiff f d))) ltac:(lia) _ (le_n _)).
  Qed.

  Theorem ge0_wins b f : Numbers.ge0 a [Region b f] -> @wins (domineering a) (owner Left b) (State (owner Right b) f).
  Proof. now apply (ge0_wins_both b (size a (State One f))). Qed.

  Theorem gt0_wins b f : Numbers.gt0 a [Region b f] -> @wins (domineering a) (owner Left b) (State (owner Left b) f).
  Proof. now apply (ge0_wins_both b (size a (State One f))). Qed.
End Regions.
