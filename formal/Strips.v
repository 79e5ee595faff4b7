(** The arithmetic of strips (FORMAT.md 5.4) and how a cut is read (5.6). Pieces are found by a function that is not proved,
    and checked: they cover the region, and no domino of Horizontal lies in two of them. *)

From Coq Require Import NArith ZArith Arith List Bool Lia Permutation.
From Coq.Init Require Import Byte.
From Zermelo Require Import Rules Sets Domineering Sums Parts Numbers Order Regions Images Bytes Values ValuesTrue.
Import ListNotations.
Open Scope Z_scope.

Definition heats := [80; 64; 0].

(** The switches that are left over, the hottest first; whether Left has moved; and a number. *)
Notation entry := (list Z * bool * Z)%type.

Fixpoint toggle (t : Z) (ts : list Z) : list Z :=
  match ts with
  | [] => [t]
  | u :: r => if t =? u then r else if u <? t then t :: ts else u :: toggle t r
  end.

Definition combine_entries (d e : entry) : option entry :=
  let '(ts, m, s) := d in let '(us, n, r) := e in
  if m && n then None else Some (fold_right toggle us ts, m || n, s + r).

Fixpoint same_heats (ts us : list Z) : bool :=
  match ts, us with [], [] => true | t :: ts, u :: us => (t =? u) && same_heats ts us | _, _ => false end.

Fixpoint put (e : entry) (l : list entry) : list entry :=
  match l with
  | [] => [e]
  | d :: l => if same_heats (fst (fst d)) (fst (fst e)) && Bool.eqb (snd (fst d)) (snd (fst e))
              then (if snd d <? snd e then e else d) :: l else d :: put e l
  end.

Definition add_all (terms best : list entry) : list entry :=
  fold_right (fun e acc => fold_right (fun t acc => match combine_entries t e with Some c => put c acc | None => acc end) acc terms) [] best.

Definition enough (first : bool) (e : entry) : bool :=
  let '(ts, m, s) := e in
  match first, m with
  | true, false => match ts with [] => 0 <? s | t :: ts => 0 <=? s + t + bound ts end
  | false, true => false
  | _, _ => 0 <=? s + bound ts
  end.

Section Strips.
  Variables (a : area) (inner : N).

  Definition terms (first : bool) (w : worth) : act (list entry) :=
    nm <~ floors a inner (deep a) (snd w) ;;
    let plain := ([], false, fst w + fst nm) :: (if first then [([], true, fst w + snd nm)] else []) in
    match snd w with
    | [] => give plain
    | g =>
        more <~ each (fun t =>
          v <~ switch a inner (deep a) t g ;;
          if first then
            u <~ moved_switch a inner t g ;;
            give (([t], false, fst w + v) :: match u with Some u => [([t], true, fst w + u)] | None => [] end)
          else give [([t], false, fst w + v)]) heats ;;
        give (plain ++ concat more)
    end.

  Fixpoint sums (first : bool) (pieces : list N) : act (list entry) :=
    match pieces with
    | [] => give [([], false, 0)]
    | p :: pieces =>
        best <~ sums first pieces ;;
        w <~ worth_of a inner (floors a inner (deep a)) p ;;
        ts <~ terms first w ;;
        give (add_all ts best)
    end.

  (** Whether the pieces of f are worth enough; [first]: Left is to move. *)
  Definition strips_enough (first : bool) (f : N) (pieces : list N) : act bool :=
    if uncut_all a Two f pieces then best <~ sums first pieces ;; give (existsb (enough first) best) else fail.

  (** * The proof *)

  Notation above := (Order.above a).
  Notation beyond := (Order.beyond a).
  Notation shapes := (map (Region false)).
  Notation sound := (Values.sound a).

  Definition entry_true (x : list part) (e : entry) : Prop :=
    let '(ts, m, s) := e in
    (forall t, In t ts -> 0 <= t) /\
    if m : bool then beyond x (Num s :: map Switch ts) else above x (Num s :: map Switch ts).

  Lemma toggle_above t ts : 0 <= t -> above (Switch t :: map Switch ts) (map Switch (toggle t ts)).
  Proof.
    intros T. induction ts as [|u r IH]; simpl; [apply above_refl|].
    destruct (Z.eqb_spec t u) as [->|N].
    - apply above_trans with ([Num 0] ++ map Switch r).
      + apply (above_app a [Switch u; Switch u]); [|apply above_refl].
        apply above_trans with [Num (- Z.abs (u - u))]; [now apply two_switches | apply number_above; lia].
      + apply (above_app a [Num 0] []); [|apply above_refl]. apply (numbers_above a [0] []). simpl. lia.
    - destruct (u <? t); [apply above_refl|].
      apply above_trans with ([Switch u] ++ (Switch t :: map Switch r)); [apply above_permuted; permute|].
      apply (above_app a [Switch u] [Switch u]); [apply above_refl | exact IH].
  Qed.

  Lemma toggle_in t ts v : In v (toggle t ts) -> v = t \/ In v ts.
  Proof.
    induction ts as [|u r IH]; simpl; [intuition|]. destruct (t =? u); [auto|]. destruct (u <? t); simpl; intuition.
  Qed.

  Lemma toggles ts us : (forall t, In t ts -> 0 <= t) -> (forall t, In t us -> 0 <= t) ->
    above (map Switch ts ++ map Switch us) (map Switch (fold_right toggle us ts)) /\
    forall t, In t (fold_right toggle us ts) -> 0 <= t.
  Proof.
    intros P Q. induction ts as [|t ts IH]; simpl; [split; auto; apply above_refl|].
    destruct IH as [A B]; [intros; apply P; now right|]. split.
    - apply above_trans with ([Switch t] ++ map Switch (fold_right toggle us ts)).
      + apply (above_app a [Switch t] [Switch t]); [apply above_refl | exact A].
      + apply toggle_above. apply P. now left.
    - intros v I. apply toggle_in in I. destruct I as [->|I]; auto. apply P. now left.
  Qed.

  Lemma combine_true x y d e c : entry_true x d -> entry_true y e -> combine_entries d e = Some c -> entry_true (x ++ y) c.
  Proof.
    destruct d as [[ts m] s]. destruct e as [[us n] r]. simpl. intros [P X] [Q Y] E. destruct (m && n) eqn:M; [discriminate|].
    injection E as <-. destruct (toggles ts us P Q) as [A B]. split; auto.
    assert (J : above ((Num s :: map Switch ts) ++ (Num r :: map Switch us)) (Num (s + r) :: map Switch (fold_right toggle us ts))).
    { apply above_trans with ([Num s; Num r] ++ (map Switch ts ++ map Switch us)); [apply above_permuted; permute|].
      apply (above_app a [Num s; Num r] [Num (s + r)]); auto. apply (numbers_above a [_; _] [_]). simpl. lia. }
    destruct m, n; try discriminate; simpl orb.
    - apply beyond_above with (2 := J). now apply beyond_app.
    - apply beyond_above with (2 := J). now apply app_beyond.
    - apply above_trans with (2 := J). now apply above_app.
  Qed.

  Lemma put_true x e l : entry_true x e -> Forall (entry_true x) l -> Forall (entry_true x) (put e l).
  Proof.
    intros E F. induction F as [|d l D F IH]; simpl; [now constructor|].
    destruct (_ && _); [destruct (_ <? _)|]; constructor; auto.
  Qed.

  Lemma add_all_true x y ts best : Forall (entry_true x) ts -> Forall (entry_true y) best ->
    Forall (entry_true (x ++ y)) (add_all ts best).
  Proof.
    intros T B. unfold add_all. induction B as [|e best E B IH]; simpl; [constructor|].
    match type of IH with Forall _ ?acc => generalize dependent acc end. intros acc IH.
    induction T as [|t ts T' T IHt]; simpl; auto. destruct (combine_entries t e) as [c|] eqn:C; auto.
    apply put_true; auto. now apply combine_true with t e.
  Qed.

  Lemma enough_true first x e : entry_true x e -> enough first e = true -> if first then Numbers.gt0 a x else Numbers.ge0 a x.
  Proof.
    destruct e as [[ts m] s]. intros [P E] H.
    assert (G : forall s ts, (forall t, In t ts -> 0 <= t) -> 0 <= s + bound ts -> Numbers.ge0 a (Num s :: map Switch ts)).
    { clear. intros s ts P L. apply above_ge0 with ([Num s] ++ [Num (bound ts)]).
      - apply (above_app a [Num s] [Num s]); [apply above_refl | now apply switches_above].
      - apply (numbers_ge0 a [s; bound ts]). simpl. lia. }
    destruct first, m; simpl in H; try discriminate.
    - apply beyond_gt0 with (1 := E). apply G; auto. now apply Z.leb_le.
    - apply above_gt0 with (1 := E). destruct ts as [|t ts].
      + apply (numbers_gt0 a [s]). simpl. apply Z.ltb_lt in H. lia.
      + apply (take_switch a t [Num s] (map Switch ts)). apply Z.leb_le in H.
        apply permute_ge0 with ([Num s; Num t] ++ map Switch ts); [permute|].
        apply above_ge0 with (Num (s + t) :: map Switch ts); [|apply G; auto; intros v I; apply P; now right].
        apply (above_app a [Num s; Num t] [Num (s + t)]); [|apply above_refl]. apply (numbers_above a [_; _] [_]). simpl. lia.
    - apply above_ge0 with (1 := E). apply G; auto. now apply Z.leb_le.
  Qed.

  Lemma whole_moved o m t : beyond (shapes (snd o)) [Num m; Switch t] -> beyond (whole o) [Num (fst o + m); Switch t].
  Proof.
    intros B. apply beyond_above with ([Num m; Switch t] ++ [Num (fst o)]); [apply beyond_app; [exact B | apply above_refl]|].
    apply above_trans with ([Num m; Num (fst o)] ++ [Switch t]); [apply above_permuted; permute|].
    apply (above_app a _ [_]); [|apply above_refl]. apply (numbers_above a [_; _] [_]). simpl. lia.
  Qed.

  Lemma terms_true first w : sound (terms first w) (Forall (entry_true (whole w))).
  Proof.
    unfold terms. eapply sound_next; [apply floors_true|]. intros nm [B1 B2]. cbv zeta.
    assert (P : Forall (entry_true (whole w)) (([], false, fst w + fst nm) :: (if first then [([], true, fst w + snd nm)] else []))).
    { constructor; [split; [intros t [] | now apply whole_floor]|].
      destruct first; constructor; [split; [intros t [] | now apply whole_beyond] | constructor]. }
    destruct (snd w) as [|c g] eqn:W; [now apply sound_give|].
    eapply sound_next; [apply (sound_each a _ (fun t => Forall (entry_true (whole w))))|].
    - intros t I. assert (T : 0 <= t) by (simpl in I; intuition lia).
      eapply sound_next; [apply switch_true; auto|]. intros v V. rewrite <- W in V.
      assert (E : entry_true (whole w) ([t], false, fst w + v)).
      { split; [intros u [<-|[]]; auto | now apply whole_switch]. }
      destruct first; [|apply sound_give; constructor; [exact E | constructor]].
      eapply sound_next; [apply moved_switch_true; auto|]. intros u U. rewrite <- W in U. apply sound_give. constructor; auto.
      destruct u; [|constructor]. constructor; [|constructor]. split; [intros r [<-|[]]; auto | now apply whole_moved].
    - intros more M. apply sound_give. apply Forall_app. split; auto. clear P. induction M; simpl; auto. apply Forall_app. auto.
  Qed.

  Lemma sums_true first pieces : sound (sums first pieces) (Forall (entry_true (shapes pieces))).
  Proof.
    induction pieces as [|p pieces IH]; cbn [sums].
    - apply sound_give. constructor; [|constructor]. split; [intros t [] | apply (numbers_above a [] [0]); simpl; lia].
    - eapply sound_next; [exact IH|]. intros best B. eapply sound_next; [apply worth_true, floors_true|]. intros w W.
      eapply sound_next; [apply terms_true|]. intros ts T. apply sound_give. apply (add_all_true [Plain p]); auto.
      eapply Forall_impl; [|exact T]. intros [[us m] s] [P E]. split; auto.
      destruct m; [now apply above_beyond with (whole w) | now apply above_trans with (whole w)].
  Qed.

  Theorem strips_enough_true first f pieces : sound (strips_enough first f pieces) (fun ok => ok = true ->
    if first then Numbers.gt0 a [Plain f] else Numbers.ge0 a [Plain f]).
  Proof.
    unfold strips_enough. destruct (uncut_all a Two f pieces) eqn:U; [|apply sound_fail]. apply pieces_above in U.
    eapply sound_next; [apply sums_true|]. intros best B. apply sound_give. intros E. apply existsb_exists in E.
    destruct E as [e [I E]]. rewrite Forall_forall in B. apply (enough_true first (shapes pieces)) in E; auto.
    destruct first; [now apply above_gt0 with (1 := U) | now apply above_ge0 with (1 := U)].
  Qed.
End Strips.
