(** Bounds of regions, computed from the rules and remembered (FORMAT.md 5.2, 5.3). A memory is a set of facts, all of them true;
    whatever a helper function finds (components, images, the simplest number) is checked before it becomes a fact. *)

From Coq Require Import NArith ZArith Arith List Bool Lia Permutation FMapPositive.
From Zermelo Require Import Rules Sets Domineering Sums Parts Numbers Order Regions Images.
Import ListNotations.
Open Scope Z_scope.

(** Shapes, none of them a number as far as is known, and a number in 1/64. *)
Notation game := (list N).
Notation worth := (Z * list N)%type.

Inductive fact :=
| Least (f c : N)                                (* c is an image of f *)
| Worth (f : N) (w : worth)                      (* f is worth w at least *)
| Moves (c : N) (ls rs : list worth)             (* what the options of a shape are worth at least *)
| Floors (g : game) (n m : Z)                    (* g >= n and g |> m *)
| Switched (g : game) (t m : Z)                  (* g >= m + {t|-t} *)
| Moved (g : game) (t : Z) (m : option Z)        (* Left moves from g to m + {t|-t} at least *)
| Kept (g : game) (n : Z).                       (* g + n >= 0 *)

Definition memory := PositiveMap.t (list fact).

(** A computation that uses a memory and may fail. *)
Definition act (A : Type) := memory -> option (A * memory).
Definition give {A} (v : A) : act A := fun st => Some (v, st).
Definition fail {A} : act A := fun _ => None.
Definition next {A B} (m : act A) (f : A -> act B) : act B := fun st => match m st with Some (v, st) => f v st | None => None end.
Notation "x <~ m ;; k" := (next m (fun x => k)) (at level 60, m at next level, right associativity).

Fixpoint each {A B} (f : A -> act B) (l : list A) : act (list B) :=
  match l with
  | [] => give []
  | x :: l => y <~ f x ;; ys <~ each f l ;; give (y :: ys)
  end.

Fixpoint through {A B} (f : A -> B -> act B) (l : list A) (b : B) : act B :=
  match l with
  | [] => give b
  | x :: l => b <~ f x b ;; through f l b
  end.

Fixpoint first_some {A B} (pick : A -> option B) (l : list A) : option B :=
  match l with
  | [] => None
  | x :: l => match pick x with Some v => Some v | None => first_some pick l end
  end.

Definition recall {A} (key : positive) (pick : fact -> option A) (st : memory) : option A :=
  match PositiveMap.find key st with Some l => first_some pick l | None => None end.

Definition learn (key : positive) (x : fact) (st : memory) : memory :=
  PositiveMap.add key (x :: match PositiveMap.find key st with Some l => l | None => [] end) st.

(** Uses what is remembered, else computes it and remembers it. *)
Definition memo {A} (key : positive) (pick : fact -> option A) (make : A -> fact) (m : act A) : act A := fun st =>
  match recall key pick st with
  | Some v => Some (v, st)
  | None => match m st with Some (v, st) => Some (v, learn key (make v) st) | None => None end
  end.

Definition key (tag : N) (l : list N) : positive :=
  N.succ_pos (N.lor (N.shiftl (fold_left (fun h s => N.lxor s (N.shiftl h 1)) l 0%N) 3) tag).

Fixpoint same (a b : list N) : bool :=
  match a, b with
  | [], [] => true
  | x :: a, y :: b => (x =? y)%N && same a b
  | _, _ => false
  end.

Fixpoint insert (x : N) (l : list N) : list N :=
  match l with
  | [] => [x]
  | y :: t => if (x <=? y)%N then x :: l else y :: insert x t
  end.

Definition sort (l : list N) : list N := fold_right insert [] l.

Definition most (l : list Z) : option Z :=
  fold_right (fun v acc => match acc with Some w => Some (Z.max v w) | None => Some v end) None l.

Definition least_of (l : list Z) : option Z := option_map Z.opp (most (map Z.opp l)).

Definition worth_eq_dec (v w : worth) : {v = w} + {v <> w}.
Proof. decide equality; [apply list_eq_dec, N.eq_dec | apply Z.eq_dec]. Defined.

(** The simplest number strictly between, if the grid has one. *)
Fixpoint simplest_from (steps : list Z) (low high : Z) : option Z :=
  match steps with
  | [] => None
  | s :: steps => let v := (low / s + 1) * s in if v <? high then Some v else simplest_from steps low high
  end.

Definition simplest (low high : Z) : option Z :=
  let steps := [64; 32; 16; 8; 4; 2; 1] in
  if (low <? 0) && (0 <? high) then Some 0
  else if high <=? 0 then option_map Z.opp (simplest_from steps (- high) (- low)) else simplest_from steps low high.

Definition far := 2 ^ 40.

(** The number to try: r is the least m with X^R |> m. *)
Definition candidate (l r : option Z) : Z :=
  let low := match l with Some l => l | None => - far end in
  let high := match r with Some r => r + 1 | None => far end in
  if low <? high then match simplest low high with Some v => v | None => low end else high - 1.

Section Values.
  Variables (a : area) (inner : N).   (* inner: the squares that are not in the last column *)

  (** * The computation *)

  Definition grow (f part : N) : N :=
    N.land f (N.lor (N.lor part (N.lor (N.shiftl part (cols a)) (N.shiftr part (cols a))))
                    (N.lor (N.shiftl (N.land part inner) 1) (N.land (N.shiftr part 1) inner))).

  Fixpoint flood (fuel : nat) (f part : N) : N :=
    match fuel with
    | O => part
    | S fuel => let more := grow f part in if (more =? part)%N then part else flood fuel f more
    end.

  Fixpoint lowest (p : positive) : positive := match p with xO p => xO (lowest p) | _ => xH end.

  Fixpoint components (fuel : nat) (f : N) : list N :=
    match fuel, f with
    | S fuel, Npos p => let part := flood 300 f (Npos (lowest p)) in part :: components fuel (N.ldiff f part)
    | _, _ => []
    end.

  (** The least of four mirror images, moved to the corner; None if the check fails, which does not happen. *)
  Definition image_of (phi : N -> N) (f : list N) : N := fold_left (fun acc s => N.setbit acc (phi s)) f 0%N.

  Definition canonical (f : N) : option N :=
    let ss := squares f in
    let places := map (fun s => N.div_eucl s (cols a)) ss in
    let rs := map fst places in
    let cs := map snd places in
    let high l := fold_left N.max l 0%N in
    let low l := match l with [] => 0%N | x :: l => fold_left N.min l x end in
    let r0 := low rs in let r1 := high rs in let c0 := low cs in let c1 := high cs in
    let first := (r0 * cols a + c0)%N in let last := (r1 * cols a + c1)%N in
    let place fr fc (rc : N * N) := ((if fr : bool then r1 - fst rc else fst rc - r0) * cols a
                                     + (if fc : bool then c1 - snd rc else snd rc - c0))%N in
    let phi fr fc := match fr, fc with                      (* without divisions where it goes without them *)
      | false, false => fun s => (s - first)%N
      | true, true => fun s => (last - s)%N
      | _, _ => fun s => place fr fc (N.div_eucl s (cols a))
      end in
    let psi fr fc := match fr, fc with
      | false, false => fun s => (s + first)%N
      | true, true => fun s => (last - s)%N
      | _, _ => fun s => let rc := N.div_eucl s (cols a) in
          ((if fr : bool then r1 - fst rc else fst rc + r0) * cols a + (if fc : bool then c1 - snd rc else snd rc + c0))%N
      end in
    let try fr fc := (fold_left (fun acc rc => N.setbit acc (place fr fc rc)) places 0%N, (fr, fc)) in
    let better x y := if (fst x <=? fst y)%N then x else y in
    let '(c, (fr, fc)) := better (better (N.shiftr f first, (false, false)) (try false true)) (better (try true false) (try true true)) in
    if image a false f a false c (phi fr fc) (psi fr fc) then Some c else None.

  Definition least (f : N) : act N :=
    memo (key 0 [f]) (fun x => match x with Least g c => if (f =? g)%N then Some c else None | _ => None end) (Least f)
      (match canonical f with Some c => give c | None => fail end).

  (** g is a part of f that no domino of p leaves. *)
  Definition uncut (p : player) (f g : N) : bool :=
    subset g f && forallb (fun s => Bool.eqb (N.testbit g s) (N.testbit g (s + stride a p))) (starts a p f).

  Fixpoint uncut_all (p : player) (f : N) (gs : list N) : bool :=
    match gs with
    | [] => (f =? 0)%N
    | g :: gs => uncut p f g && uncut_all p (N.ldiff f g) gs
    end.

  Definition join (v w : worth) : worth := (fst v + fst w, sort (snd v ++ snd w)).

  Section Recursion.
    Variable floors : game -> act (Z * Z).

    Definition component_worth (g : N) : act worth :=
      c <~ least g ;; nm <~ floors [c] ;; give (if snd nm <? fst nm then (fst nm, []) else (0, [c])).

    Definition worth_of (f : N) : act worth :=
      memo (key 1 [f]) (fun x => match x with Worth g w => if (f =? g)%N then Some w else None | _ => None end) (Worth f)
        (let gs := components 300 f in
         if uncut_all Two f gs then ws <~ each component_worth gs ;; give (fold_right join (0, []) ws) else fail).

    Definition shape_moves (c : N) : act (list worth * list worth) :=
      memo (key 2 [c]) (fun x => match x with Moves d ls rs => if (c =? d)%N then Some (ls, rs) else None | _ => None end)
        (fun v => Moves c (fst v) (snd v))
        (ls <~ each (fun d => worth_of (N.ldiff c d)) (choices a One c) ;;
         rs <~ each (fun d => worth_of (N.ldiff c d)) (choices a Two c) ;;
         give (nodup worth_eq_dec ls, nodup worth_eq_dec rs)).

    (** The options of side s of the shapes of [after]; those of [before] stay. *)
    Fixpoint options_of (s : side) (before after : game) : act (list worth) :=
      match after with
      | [] => give []
      | c :: after =>
          ms <~ shape_moves c ;;
          os <~ options_of s (before ++ [c]) after ;;
          give (map (fun o => (fst o, sort (before ++ after ++ snd o))) (match s with Left => fst ms | Right => snd ms end) ++ os)
      end.

    Definition find_floors (g : game) : act (Z * Z) :=
      ls <~ options_of Left [] g ;;
      rs <~ options_of Right [] g ;;
      lv <~ each (fun o => nm <~ floors (snd o) ;; give (fst o + fst nm)) ls ;;
      rv <~ each (fun o => nm <~ floors (snd o) ;; give (fst o + snd nm)) rs ;;
      let l := most lv in
      let n := candidate l (least_of rv) in
      if forallb (fun v => n <=? v) rv && forallb (fun w => existsb (fun v => w <=? v) lv) (number_options Left n)
      then give (n, match l with Some l => Z.max l (n - 1) | None => n - 1 end) else fail.
  End Recursion.

  Fixpoint floors (fuel : nat) (g : game) : act (Z * Z) :=
    match fuel with
    | O => fail
    | S fuel =>
        memo (key 3 g) (fun x => match x with Floors h n m => if same g h then Some (n, m) else None | _ => None end)
          (fun v => Floors g (fst v) (snd v)) (find_floors (floors fuel) g)
    end.

  (** Deeper than any game on the board. *)
  Definition deep : nat := N.to_nat (rows a * cols a) + 2.

  Fixpoint switch (fuel : nat) (t : Z) (g : game) : act Z :=
    match fuel with
    | O => fail
    | S fuel =>
        match g with
        | [] => give (- 1 - t)
        | _ =>
            memo (key 4 (Z.to_N t :: g))
              (fun x => match x with Switched h u m => if (t =? u) && same g h then Some m else None | _ => None end)
              (Switched g t)
              (nm <~ floors deep g ;;
               let aim := snd nm - t in
               rs <~ options_of (floors deep) Right [] g ;;
               vs <~ each (fun o =>
                 om <~ floors deep (snd o) ;;
                 let best := fst om + fst o + t in
                 if aim <=? best then give best
                 else
                   ls <~ options_of (floors deep) Left [] (snd o) ;;
                   through (fun r best => if aim <=? best then give best
                                          else v <~ switch fuel t (snd r) ;; give (Z.max best (fst o + fst r + v))) ls best) rs ;;
               give (fold_right Z.min aim vs))
        end
    end.

  Definition moved_switch (t : Z) (g : game) : act (option Z) :=
    memo (key 5 (Z.to_N t :: g))
      (fun x => match x with Moved h u m => if (t =? u) && same g h then Some m else None | _ => None end) (Moved g t)
      (ls <~ options_of (floors deep) Left [] g ;;
       vs <~ each (fun o => v <~ switch deep t (snd o) ;; give (fst o + v)) ls ;;
       give (most vs)).

  (** * What the facts say *)

  Notation above := (Order.above a).
  Notation beyond := (Order.beyond a).
  Notation moved := (Sums.moved part (options a)).
  Notation shapes := (map (Region false)).

  Definition whole (w : worth) : list part := shapes (snd w) ++ [Num (fst w)].

  Definition options_true (s : side) (x : list part) (os : list worth) (f : list part -> list part) : Prop :=
    (forall y, moved s x y -> exists o, In o os /\ above (f y) (whole o)) /\
    (forall o, In o os -> exists y, moved s x y /\ above (f y) (whole o)).

  Definition fact_true (x : fact) : Prop :=
    match x with
    | Least f c => above [Plain f] [Plain c] /\ above [Plain c] [Plain f]
    | Worth f w => above [Plain f] (whole w)
    | Moves c ls rs => options_true Left [Plain c] ls id /\ options_true Right [Plain c] rs id
    | Floors g n m => above (shapes g) [Num n] /\ beyond (shapes g) [Num m]
    | Switched g t m => above (shapes g) [Num m; Switch t]
    | Moved g t m => match m with Some m => beyond (shapes g) [Num m; Switch t] | None => True end
    | Kept g n => Numbers.ge0 a (shapes g ++ [Num n])
    end.

  Definition memory_true (st : memory) : Prop :=
    forall k l, PositiveMap.find k st = Some l -> forall x, In x l -> fact_true x.

  Definition sound {A} (m : act A) (P : A -> Prop) : Prop :=
    forall st v st', memory_true st -> m st = Some (v, st') -> memory_true st' /\ P v.

  Lemma sound_give {A} (v : A) (P : A -> Prop) : P v -> sound (give v) P.
  Proof. intros H st w st' M E. injection E as <- <-. auto. Qed.

  Lemma sound_fail {A} (P : A -> Prop) : sound fail P.
  Proof. intros st w st' M E. discriminate. Qed.

  Lemma sound_next {A B} (m : act A) (f : A -> act B) P Q :
    sound m P -> (forall v, P v -> sound (f v) Q) -> sound (next m f) Q.
  Proof.
    intros S F st w st' M E. unfold next in E. destruct (m st) as [[v st1]|] eqn:R; [|discriminate].
    destruct (S _ _ _ M R) as [M1 Pv]. exact (F v Pv _ _ _ M1 E).
  Qed.

  Lemma sound_weaker {A} (m : act A) (P Q : A -> Prop) : (forall v, P v -> Q v) -> sound m P -> sound m Q.
  Proof. intros H S st v st' M E. destruct (S _ _ _ M E). auto. Qed.

  Lemma sound_each {A B} (f : A -> act B) (P : A -> B -> Prop) l :
    (forall x, In x l -> sound (f x) (P x)) -> sound (each f l) (Forall2 P l).
  Proof.
    induction l as [|x l IH]; simpl; intros H; [now apply sound_give|].
    apply sound_next with (P x); auto. intros y Y. apply sound_next with (Forall2 P l); auto. intros ys Ys.
    apply sound_give. now constructor.
  Qed.

  Lemma sound_through {A B} (f : A -> B -> act B) (P : B -> Prop) l :
    (forall x b, In x l -> P b -> sound (f x b) P) -> forall b, P b -> sound (through f l b) P.
  Proof.
    induction l as [|x l IH]; simpl; intros H b Pb; [now apply sound_give|].
    apply sound_next with P; auto.
  Qed.

  Lemma sound_memo {A} k (pick : fact -> option A) make m (P : A -> Prop) :
    (forall x v, fact_true x -> pick x = Some v -> P v) -> sound m P -> (forall v, P v -> fact_true (make v)) ->
    sound (memo k pick make m) P.
  Proof.
    intros R S L st v st' M E. unfold memo in E. destruct (recall k pick st) as [w|] eqn:F.
    - injection E as <- <-. split; auto. unfold recall in F. destruct (PositiveMap.find k st) as [l|] eqn:K; [|discriminate].
      assert (T := M k l K). clear K M. induction l as [|x l IH]; simpl in F; [discriminate|].
      destruct (pick x) as [u|] eqn:Q; [injection F as <-; apply R with x; auto; apply T; now left|].
      apply IH; auto. intros y I. apply T. now right.
    - destruct (m st) as [[w st1]|] eqn:Q; [|discriminate]. injection E as <- <-.
      destruct (S _ _ _ M Q) as [M1 Pw]. split; auto. intros k' l K x I. unfold learn in K.
      rewrite PositiveMapAdditionalFacts.gsspec in K. destruct (PositiveMap.E.eq_dec k' k) as [->|N].
      + injection K as <-. destruct I as [<-|I]; [now apply L|].
        destruct (PositiveMap.find k st1) as [l'|] eqn:K'; [now apply (M1 k l') | easy].
      + now apply (M1 k' l).
  Qed.
End Values.
