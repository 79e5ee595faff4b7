(** Strategies for Domineering, read in the order of play (FORMAT.md 4), on rectangles without covers. *)

From Coq Require Import NArith ZArith Arith List Bool Lia Permutation FMapPositive.
From Coq.Init Require Import Byte.
From Zermelo Require Import Rules Sets Domineering Sums Parts Numbers Order Regions Images Bytes Strong Values ValuesTrue Strips.
Import ListNotations.
Open Scope N_scope.

Definition lift {A} (m : act A) (st : memory) : reader (A * memory) := match m st with Some r => ret r | None => reject end.

Fixpoint read_little (bytes : nat) (shift value : N) : reader N :=
  match bytes with
  | O => ret value
  | S bytes => b <- read_byte ;; read_little bytes (shift + 8) (value + N.shiftl b shift)
  end.

Definition read_bits (n : nat) : reader (list bool) :=
  v <- read_little ((n + 7) / 8) 0 0 ;; well_formed (N.shiftr v (N.of_nat n) =? 0) ;;;
  ret (map (N.testbit v) (up_to (N.of_nat n))).

(** The bits of a set in runs of neighbours. *)
Fixpoint runs (fuel : nat) (s : N) : list N :=
  match fuel, s with
  | S fuel, Npos p => let r := N.ldiff s (s + Npos (lowest p)) in r :: runs fuel (N.ldiff s r)
  | _, _ => []
  end.

(** A row of runs, of which bit 1 puts one into the next strip. *)
Fixpoint assign_row (line : list N) (bits : list bool) (current after : N) : N * N * list bool :=
  match line, bits with
  | r :: line, b :: bits =>
      if b : bool then assign_row line bits current (N.lor after r) else assign_row line bits (N.lor current r) after
  | _, _ => (current, after, bits)
  end.

Fixpoint assign (lines : list (list N)) (bits : list bool) (current : N) (done : list N) : list N * list bool :=
  match lines with
  | [] => (current :: done, bits)
  | line :: lines =>
      let '(current, after, bits) := assign_row line bits current 0 in
      if after =? 0 then assign lines bits current done else assign lines bits after (current :: done)
  end.

Section Trees.
  Variables (a : area) (inner : N).

  (** The rows of a component, each as its runs. *)
  Definition lines_of (part : N) : list (list N) :=
    match part with
    | 0 => []
    | Npos p =>
        let top := N.log2 (Npos (lowest p)) / cols a in let bottom := N.log2 part / cols a in
        map (fun i => runs 300 (N.land part (N.shiftl (N.ones (cols a)) ((top + i) * cols a)))) (up_to (bottom - top + 1))
    end.

  Fixpoint assign_all (parts : list (list (list N))) (bits : list bool) : list N :=
    match parts with
    | (top :: lines) :: parts =>
        let '(strips, bits) := assign lines bits (fold_right N.lor 0 top) [] in strips ++ assign_all parts bits
    | _ => []
    end.

  Definition read_cut (f : N) : reader (list N) :=
    let parts := map lines_of (components a inner 300 f) in
    bits <- read_bits (length (concat (concat (map (@tl (list N)) parts)))) ;; ret (assign_all parts bits).

  Definition column_runs (strip : N) : list N := runs 300 (image_of (fun s => s mod cols a) (squares strip)).

  Definition pieces_of (strip : N) : list N :=
    map (fun r => image_of (fun s => s) (filter (fun s => N.testbit r (s mod cols a)) (squares strip))) (column_runs strip).

  (** No piece has more than 64 squares, blocked ones included. *)
  Definition small (strip : N) : bool :=
    match strip with
    | 0 => true
    | Npos p =>
        let height := N.log2 strip / cols a - N.log2 (Npos (lowest p)) / cols a + 1 in
        forallb (fun r => height * N.of_nat (length (squares r)) <=? 64) (column_runs strip)
    end.

  Definition leaf (first : bool) (f : N) (strips : list N) (st : memory) : reader memory :=
    r <- lift (strips_enough a inner first f (flat_map pieces_of strips)) st ;; require (fst r) ;;; ret (snd r).

  (** The moves that a cut answers; returns the others. *)
  Fixpoint answer (f : N) (strips : list N) (ds : list (N * bool)) (st : memory) : reader (list N * memory) :=
    match ds with
    | [] => ret ([], st)
    | (d, true) :: ds =>
        st <- leaf true (N.ldiff f d) (map (fun s => N.ldiff s d) strips) st ;; answer f strips ds st
    | (d, false) :: ds => r <- answer f strips ds st ;; ret (d :: fst r, snd r)
    end.

  Fixpoint cut_answers (cuts : nat) (f : N) (ds : list N) (st : memory) : reader (list N * memory) :=
    match cuts with
    | O => ret (ds, st)
    | S cuts =>
        strips <- read_cut f ;; require (forallb small strips) ;;;
        bits <- read_bits (length ds) ;;
        r <- answer f strips (combine ds bits) st ;; cut_answers cuts f (fst r) (snd r)
    end.

  (** The normal form (4.3): shapes and an integer, equal to the region. *)
  Definition component_form (g : N) : act worth :=
    match starts a Two g, starts a One g with
    | [], _ => let k := greedy a One 300 g in if odd_or_even a k g then give ((64 * Z.of_nat k)%Z, []) else fail
    | _, [] => let k := greedy a Two 300 g in if odd_or_even a k g then give ((- (64 * Z.of_nat k))%Z, []) else fail
    | _, _ => c <~ least a g ;; give (0%Z, [c])
    end.

  Definition form (f : N) : act worth :=
    let gs := components a inner 300 f in
    if uncut_all a Two f gs && uncut_all a One f gs
    then ws <~ each component_form gs ;; give (fold_right join (0%Z, []) ws) else fail.

  Definition keep_region (f : N) : act unit :=
    w <~ form f ;; memo (key 6 (snd w)) (fun _ => None) (fun _ => Kept (snd w) (fst w)) (give tt).

  Definition known_region (f : N) : act unit :=
    w <~ form f ;;
    memo (key 6 (snd w)) (fun x => match x with Kept g n => if same (snd w) g && (n <=? fst w)%Z then Some tt else None | _ => None end)
      (fun _ => Kept (snd w) (fst w)) fail.

  Definition won (lost : N -> memory -> reader memory) (f : N) (st : memory) : reader memory :=
    tag <- varint ;;
    if tag =? 0 then strips <- read_cut f ;; require (forallb small strips) ;;; leaf true f strips st
    else if tag =? 7 then unproved
    else if tag <? 8 then malformed
    else match nth_error (choices a One f) (N.to_nat (N.min (tag - 8) 300)) with
         | Some d => lost (N.ldiff f d) st
         | None => reject
         end.

  Fixpoint lost (fuel : nat) (f : N) (st : memory) : reader memory :=
    match fuel with
    | O => malformed
    | S fuel =>
        tag <- read_byte ;;
        let cuts := if (16 <=? tag) && (tag <? 32) then tag mod 8 else 0 in
        if tag =? 2 then r <- lift (known_region f) st ;; ret (snd r)
        else if (tag <? 2) || negb (cuts =? 0) then
          rest <- cut_answers (N.to_nat cuts) f (choices a Two f) st ;;
          st <- for_each (fst rest) (fun d st => won (lost fuel) (N.ldiff f d) st) (snd rest) ;;
          (if (tag =? 1) || (24 <=? tag) then r <- lift (keep_region f) st ;; ret (snd r) else ret st)
        else if tag =? 16 then strips <- read_cut f ;; require (forallb small strips) ;;; leaf false f strips st
        else if tag =? 7 then unproved
        else malformed
    end.

  (** * The proof *)

  Notation mt := (memory_true a).
  Notation sound := (Values.sound a).
  Notation above := (Order.above a).
  Notation ge0 := (Numbers.ge0 a).
  Notation gt0 := (Numbers.gt0 a).

  Lemma lift_true {A} (m : act A) P st s r t : sound m P -> mt st -> lift m st s = Ok (r, t) -> mt (snd r) /\ P (fst r).
  Proof.
    intros S M E. unfold lift in E. destruct (m st) as [[v st']|] eqn:Q; [|discriminate]. injection E as <- _.
    exact (S _ _ _ M Q).
  Qed.

  Lemma leaf_true first f strips st s st' t : mt st -> leaf first f strips st s = Ok (st', t) ->
    mt st' /\ if first then gt0 [Plain f] else ge0 [Plain f].
  Proof.
    intros M E. unfold leaf in E. apply bind_ok in E. destruct E as [r [s1 [L E]]]. apply bind_ok in E.
    destruct E as [u [s2 [Q E]]]. apply require_ok in Q. injection E as <- _.
    apply (lift_true _ _ _ _ _ _ (strips_enough_true a inner first f _) M) in L. destruct L as [M' H].
    split; [exact M' | exact (H Q)].
  Qed.

  Lemma answer_true f strips ds : forall st s r t, mt st -> answer f strips ds st s = Ok (r, t) ->
    mt (snd r) /\ forall d b, In (d, b) ds -> In d (fst r) \/ gt0 [Plain (N.ldiff f d)].
  Proof.
    induction ds as [|[d b] ds IH]; cbn [answer]; intros st s r t M E.
    - injection E as <- _. split; [exact M | intros d b []].
    - destruct b.
      + apply bind_ok in E. destruct E as [st1 [s1 [L E]]]. apply leaf_true in L; auto. destruct L as [M1 G].
        destruct (IH _ _ _ _ M1 E) as [M2 H]. split; auto. intros e b [X|I]; [injection X as <- _; auto | eauto].
      + apply bind_ok in E. destruct E as [r1 [s1 [L E]]]. injection E as <- _. destruct (IH _ _ _ _ M L) as [M2 H].
        split; auto. cbn [fst snd]. intros e b [X|I]; [injection X as <- _; left; now left|]. destruct (H _ _ I); auto.
        left. now right.
  Qed.

  Lemma bits_length n s l t : read_bits n s = Ok (l, t) -> length l = n.
  Proof.
    intros E. unfold read_bits in E. apply bind_ok in E. destruct E as [v [s1 [_ E]]]. apply bind_ok in E.
    destruct E as [u [s2 [_ E]]]. injection E as <- _. unfold up_to. now rewrite !map_length, seq_length, Nat2N.id.
  Qed.

  Lemma in_combined {A B} (l : list A) : forall (m : list B) x, length m = length l -> In x l -> exists y, In (x, y) (combine l m).
  Proof.
    induction l as [|a' l IH]; intros [|b m] x L I; simpl in *; try easy. destruct I as [->|I]; [exists b; auto|].
    destruct (IH m x) as [y J]; auto. exists y. auto.
  Qed.

  Lemma cut_answers_true f cuts : forall ds st s r t, mt st -> cut_answers cuts f ds st s = Ok (r, t) ->
    mt (snd r) /\ forall d, In d ds -> In d (fst r) \/ gt0 [Plain (N.ldiff f d)].
  Proof.
    induction cuts as [|cuts IH]; cbn [cut_answers]; intros ds st s r t M E.
    - injection E as <- _. auto.
    - apply bind_ok in E. destruct E as [strips [s1 [_ E]]]. apply bind_ok in E. destruct E as [u [s2 [_ E]]].
      apply bind_ok in E. destruct E as [bits [s3 [B E]]]. apply bind_ok in E. destruct E as [r1 [s4 [L E]]].
      apply bits_length in B. apply answer_true in L; auto. destruct L as [M1 H1]. apply IH in E; auto. destruct E as [M2 H2].
      split; auto. intros d I. destruct (in_combined ds bits d B I) as [b J]. destruct (H1 d b J) as [K|K]; auto.
  Qed.

  Definition equal_to (f : N) (w : worth) : Prop := above [Plain f] (whole w) /\ above (whole w) [Plain f].

  Lemma above_join v w : above (whole (join v w)) (whole v ++ whole w).
  Proof.
    unfold whole, join. cbn [fst snd].
    apply above_trans with ((map (Region false) (snd v ++ snd w)) ++ [Num (fst v); Num (fst w)]).
    - apply above_app; [apply shapes_permuted, sort_permuted|]. apply (numbers_above a [_] [_; _]). simpl. lia.
    - apply above_permuted. rewrite map_app. permute.
  Qed.

  Lemma no_starts p g : starts a p g = [] -> dominoes a p g = [].
  Proof.
    intros E. destruct (dominoes a p g) as [|d l] eqn:D; auto. exfalso.
    assert (I : In d (choices a p g)) by (apply in_choices; rewrite D; now left).
    unfold choices in I. now rewrite E in I.
  Qed.

  Lemma component_form_true g : sound (component_form g) (equal_to g).
  Proof.
    unfold component_form. destruct (starts a Two g) as [|x xs] eqn:E2.
    - cbv zeta. destruct (odd_or_even a _ g) eqn:O; [|apply sound_fail]. apply sound_give.
      exact (column_equal a 300 g (no_starts _ _ E2) O).
    - destruct (starts a One g) as [|y ys] eqn:E1.
      + cbv zeta. destruct (odd_or_even a _ g) eqn:O; [|apply sound_fail]. apply sound_give.
        exact (row_equal a 300 g (no_starts _ _ E1) O).
      + eapply sound_next; [apply least_true|]. intros c [A B]. apply sound_give. split.
        * apply above_trans with (1 := A). apply (above_app a [Plain c] [Plain c] [] [Num 0]); [apply above_refl|].
          apply (numbers_above a [] [0%Z]). simpl. lia.
        * apply above_trans with (2 := B). apply (above_app a [Plain c] [Plain c] [Num 0] []); [apply above_refl|].
          apply (numbers_above a [0%Z] []). simpl. lia.
  Qed.

  Lemma form_true f : sound (form f) (equal_to f).
  Proof.
    unfold form. cbv zeta. set (gs := components a inner 300 f). destruct (_ && _) eqn:U; [|apply sound_fail].
    apply andb_true_iff in U. destruct U as [U2 U1]. apply pieces_above in U2. apply above_pieces in U1. clearbody gs.
    eapply sound_next; [apply (sound_each a _ equal_to); intros g _; apply component_form_true|].
    intros ws F. apply sound_give. split.
    - apply above_trans with (1 := U2). clear U1 U2. induction F as [|g w gs ws [G _] F IH]; simpl.
      + apply (numbers_above a [] [0%Z]). simpl. lia.
      + apply above_trans with (whole w ++ whole (fold_right join (0%Z, []) ws)); [|apply join_above].
        now apply (above_app a [Plain g]).
    - apply above_trans with (2 := U1). clear U1 U2. induction F as [|g w gs ws [_ G] F IH]; simpl.
      + apply (numbers_above a [0%Z] []). simpl. lia.
      + apply above_trans with (whole w ++ whole (fold_right join (0%Z, []) ws)); [apply above_join|].
        now apply (above_app a _ [Plain g]).
  Qed.

  Lemma keep_region_true f : ge0 [Plain f] -> sound (keep_region f) (fun _ => True).
  Proof.
    intros G. eapply sound_next; [apply form_true|]. intros w [_ B]. apply sound_memo; [discriminate | now apply sound_give |].
    intros _ _. now apply above_ge0 with (1 := B).
  Qed.

  Lemma known_region_true f : sound (known_region f) (fun _ => ge0 [Plain f]).
  Proof.
    eapply sound_next; [apply form_true|]. intros w [A _].
    apply sound_weaker with (fun _ => ge0 (whole w)); [intros _ G; now apply above_ge0 with (1 := A)|].
    apply sound_memo; [|apply sound_fail | auto]. intros x v T E. destruct x; try discriminate.
    destruct (same (snd w) g && _) eqn:S; [|discriminate]. apply andb_true_iff in S. destruct S as [S L]. apply same_eq in S.
    apply Z.leb_le in L. subst g. apply above_ge0 with (2 := T). apply above_app; [apply above_refl | now apply number_above].
  Qed.

  Definition lost_true (l : N -> memory -> reader memory) : Prop :=
    forall f st s st' t, mt st -> l f st s = Ok (st', t) -> mt st' /\ ge0 [Plain f].

  Lemma won_true l : lost_true l -> forall f st s st' t, mt st -> won l f st s = Ok (st', t) -> mt st' /\ gt0 [Plain f].
  Proof.
    intros L f st s st' t M E. unfold won in E. apply bind_ok in E. destruct E as [tag [s1 [_ E]]].
    destruct (tag =? 0).
    - apply bind_ok in E. destruct E as [strips [s2 [_ E]]]. apply bind_ok in E. destruct E as [u [s3 [_ E]]].
      now apply leaf_true in E.
    - destruct (tag =? 7); [discriminate|]. destruct (tag <? 8); [discriminate|].
      destruct (nth_error _ _) as [d|] eqn:N; [|discriminate]. apply nth_error_In, in_choices in N.
      apply L in E; auto. destruct E as [M' G]. split; auto. apply some_move with (2 := G). now apply (region_moves a Left).
  Qed.

  Theorem lost_is_true fuel : lost_true (lost fuel).
  Proof.
    induction fuel as [|fuel IH]; intros f st s st' t M E; [discriminate|]. cbn [lost] in E.
    apply bind_ok in E. destruct E as [tag [s1 [_ E]]]. cbv zeta in E. destruct (tag =? 2).
    - apply bind_ok in E. destruct E as [r [s2 [L E]]]. injection E as <- _.
      now apply (lift_true _ _ _ _ _ _ (known_region_true f) M) in L.
    - destruct ((tag <? 2) || _).
      + apply bind_ok in E. destruct E as [rest [s2 [C E]]]. apply cut_answers_true in C; auto. destruct C as [M1 H1].
        apply bind_ok in E. destruct E as [st2 [s3 [F E]]].
        apply (for_each_ok mt (fun d => gt0 [Plain (N.ldiff f d)])) in F; auto.
        2: { intros d b q b' q' _ Mb W. now apply (won_true _ IH) in W. }
        destruct F as [M2 H2].
        assert (G : ge0 [Plain f]).
        { constructor. intros y Mv. apply moved_region in Mv. destruct Mv as [d [I ->]]. apply in_choices in I.
          destruct (H1 d I); auto. }
        destruct (_ || _).
        * apply bind_ok in E. destruct E as [r [s4 [L E]]]. injection E as <- _.
          apply (lift_true _ _ _ _ _ _ (keep_region_true f G) M2) in L. tauto.
        * injection E as <- _. auto.
      + destruct (tag =? 16).
        * apply bind_ok in E. destruct E as [strips [s2 [_ E]]]. apply bind_ok in E. destruct E as [u [s3 [_ E]]].
          now apply leaf_true in E.
        * destruct (tag =? 7); discriminate.
  Qed.
End Trees.

(** * The claim (FORMAT.md 3) *)

Record tree_statement := TreeStatement { board_area : area; tree_start : state; tree_winner : player }.

Definition tree_holds (s : tree_statement) : Prop :=
  @wins (domineering (board_area s)) (tree_winner s) (tree_start s).

(** The board with rows and columns exchanged. *)
Definition turn_square (a : area) (s : N) : N := (s mod cols a) * rows a + s / cols a.

Definition inner_squares (a : area) : N := image_of (fun s => s) (filter (fits a Two) (up_to (rows a * cols a))).

Definition check_position (a : area) (starts_first : bool) (f : N) : reader unit :=
  let fuel := S (S (N.to_nat (rows a * cols a))) in
  let replies := lost a (inner_squares a) fuel in
  (if starts_first then won a (inner_squares a) replies f (PositiveMap.empty _) else replies f (PositiveMap.empty _)) ;;; ret tt.

Definition player_of (n : N) : player := match n with 0 => One | _ => Two end.

Definition check_tree : reader tree_statement :=
  topology <- number_below 4 ;;
  rs <- number_below 257 ;; cs <- number_below 257 ;;
  well_formed ((1 <=? rs * cs) && (rs * cs <=? 256)) ;;;
  f <- read_little (N.to_nat ((rs * cs + 7) / 8)) 0 0 ;;
  well_formed (N.shiftr f (rs * cs) =? 0) ;;;
  starter <- number_below 2 ;; winner <- number_below 2 ;;
  if negb (topology =? 0) then unproved else
  let a := Area rs cs in
  (match player_of winner with
   | One => check_position a (starter =? winner) f
   | Two =>
       let b := Area cs rs in
       let g := image_of (turn_square a) (squares f) in
       require (image b false g a true f (turn_square b) (turn_square a)) ;;; check_position b (starter =? winner) g
   end) ;;;
  end_of_payload ;;;
  ret (TreeStatement a (State (player_of starter) f) (player_of winner)).

Lemma check_position_true a first f s u t : check_position a first f s = Ok (u, t) ->
  if first then Numbers.gt0 a [Plain f] else Numbers.ge0 a [Plain f].
Proof.
  intros E. unfold check_position in E. cbv zeta in E. apply bind_ok in E. destruct E as [st [s1 [E _]]].
  assert (M : memory_true a (PositiveMap.empty _)).
  { intros k l F. now rewrite PositiveMap.gempty in F. }
  destruct first.
  - eapply won_true in E; eauto; [tauto | apply lost_is_true].
  - apply lost_is_true in E; auto. tauto.
Qed.

Theorem check_tree_true bytes s rest : check_tree bytes = Ok (s, rest) -> tree_holds s.
Proof.
  intros E. unfold check_tree in E.
  do 3 (apply bind_ok in E; let x := fresh "n" in let t := fresh "s" in destruct E as [x [t [_ E]]]).
  apply bind_ok in E. destruct E as [u1 [t1 [_ E]]]. apply bind_ok in E. destruct E as [f [t2 [_ E]]].
  apply bind_ok in E. destruct E as [u2 [t3 [_ E]]]. apply bind_ok in E. destruct E as [starter [t4 [S E]]].
  apply bind_ok in E. destruct E as [winner [t5 [W E]]]. apply number_below_ok in S, W.
  destruct (negb _); [discriminate|]. cbv zeta in E. apply bind_ok in E. destruct E as [u3 [t6 [C E]]].
  apply bind_ok in E. destruct E as [u4 [t7 [_ E]]]. injection E as <- _. unfold tree_holds. cbn [board_area tree_start tree_winner].
  destruct (player_of winner) eqn:P.
  - apply check_position_true in C. destruct (N.eqb_spec starter winner) as [->|D].
    + rewrite P. now apply (gt0_wins _ false).
    + replace (player_of starter) with Two; [now apply (ge0_wins _ false)|].
      destruct starter, winner; simpl in *; congruence.
  - apply bind_ok in C. destruct C as [u5 [t8 [I C]]]. apply require_ok in I. apply check_position_true in C.
    apply image_wins in I. destruct I as [I0 I1]. destruct (N.eqb_spec starter winner) as [->|D].
    + rewrite P. now apply (gt0_wins _ true), I1.
    + replace (player_of starter) with One; [now apply (ge0_wins _ true), I0|].
      destruct starter as [|p]; auto. destruct winner as [|q]; [discriminate|]. exfalso. apply D. lia.
Qed.
