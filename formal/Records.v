(** The records of positional proofs (FORMAT.md 6.2 to 6.5): a checker, and the proof that each record it derives is true. *)

From Coq Require Import NArith Arith List Bool Lia FMapPositive.
From Zermelo Require Import Rules Sets Positional Zones Play Bytes.
Import ListNotations.
Open Scope N_scope.

(** * A board with tables *)

(** The set of the numbers i, counted from [i], for which a test of the i-th element holds. *)
Fixpoint indexes (test : N -> bool) (es : list N) (i : N) : N :=
  match es with
  | [] => 0
  | e :: es => let rest := indexes test es (N.succ i) in if test e then N.setbit rest i else rest
  end.

(** A symmetry: where each cell goes and where it comes from, and from which edge each edge comes. *)
Record symmetry := Symmetry { image : list N; origin : list N; edge_origin : list N }.

Record tables := Tables {
  on : board;
  through : list N;             (* for each cell the set of the edges through it, by number *)
  symmetries : list symmetry
}.

Definition at_cell (t : tables) (c : N) : N := nth (N.to_nat c) (through t) 0.

Definition move_cell (l : list N) (c : N) : N := nth (N.to_nat c) l c.

Definition make_through (b : board) : list N :=
  map (fun c => indexes (fun e => N.testbit e c) (edges b) 0) (up_to (cells b)).

(** The set of what the members of a set become. *)
Definition renamed (l : list N) (members : list N) (s : N) : N :=
  fold_right (fun c acc => if N.testbit s c then N.setbit acc (move_cell l c) else acc) 0 members.

Fixpoint find_edge (e : N) (es : list N) (i : N) : option N :=
  match es with [] => None | f :: es => if f =? e then Some i else find_edge e es (N.succ i) end.

Fixpoint all_some {A} (l : list (option A)) : option (list A) :=
  match l with
  | [] => Some []
  | Some a :: l => match all_some l with Some r => Some (a :: r) | None => None end
  | None :: _ => None
  end.

(** The symmetry that a table of cells makes; nothing if it is none. *)
Definition make_symmetry (b : board) (im org : list N) : option symmetry :=
  let inverse := forallb (fun c => (move_cell org (move_cell im c) =? c) && (move_cell im (move_cell org c) =? c)
                                   && (move_cell im c <? cells b) && (move_cell org c <? cells b)) (up_to (cells b)) in
  if inverse && (N.of_nat (length im) =? cells b) && (N.of_nat (length org) =? cells b) then
    let members := up_to (cells b) in
    let images := map (renamed im members) (edges b) in
    match all_some (map (fun e => find_edge e images 0) (edges b)),
          forallb (fun e => existsb (N.eqb e) (edges b)) images with
    | Some origins, true => Some (Symmetry im org origins)
    | _, _ => None
    end
  else None.

(** * Claims *)

(** What a record proves: for Breaker [need] is a set of edges, by number, that are left alone; for Maker a set of cells
    that she holds. *)
Record claim := Claim { need : N; zone : N }.

Definition hits (e s : N) : Prop := exists c, has e c /\ has s c.

Definition hits_others (b : board) (need : N) (s : N) : Prop :=
  forall i e, nth_error (edges b) i = Some e -> N.testbit need (N.of_nat i) = false -> hits e s.

Definition in_board (b : board) (s : N) : Prop := forall c, has s c -> c < cells b.

Definition proved (b : board) (p : player) (c : claim) : Prop :=
  in_board b (zone c) /\ (p = One -> in_board b (need c)) /\
  match p with
  | Two => secures (hits_others b (need c)) (zone c) 0
  | One => secures (has_edge (edges b)) (zone c) (need c)
  end.

Definition store := (PositiveMap.t claim * N)%type.   (* the claims so far, by number from 1, and how many *)

Definition all_proved (b : board) (p : player) (s : store) : Prop :=
  forall i c, PositiveMap.find i (fst s) = Some c -> proved b p c.

Section Derive.
  Variables (t : tables) (p : player).

  Definition read_cell : reader N := number_below (cells (on t)).

  Definition seen_through (s : symmetry) (c : claim) : claim :=
    let members := up_to (cells (on t)) in
    Claim (match p with
           | Two => indexes (N.testbit (need c)) (edge_origin s) 0
           | One => renamed (image s) members (need c)
           end) (renamed (image s) members (zone c)).

  Definition reference (s : store) : reader claim :=
    back <- varint ;;
    well_formed ((1 <=? back) && (back <=? snd s)) ;;;
    match PositiveMap.find (N.succ_pos (snd s - back)) (fst s) with
    | None => malformed
    | Some c =>
        k <- number_below (N.of_nat (length (symmetries t))) ;;
        if k =? 0 then ret c else
        match nth_error (symmetries t) (N.to_nat k) with
        | Some sym => ret (seen_through sym c)
        | None => malformed
        end
    end.

  (** The claim before the winner's move y, from the claim after it. *)
  Definition before (y : N) (c : claim) : claim :=
    Claim (match p with Two => N.ldiff (need c) (at_cell t y) | One => N.clearbit (need c) y end) (N.setbit (zone c) y).

  Definition all_edges : N := N.ones (N.of_nat (length (edges (on t)))).

  (** PAIRS: add a pair. *)
  Definition add_pair (c : claim) : reader claim :=
    a <- read_cell ;; b <- read_cell ;;
    require (negb (a =? b) && negb (N.testbit (zone c) a) && negb (N.testbit (zone c) b)) ;;;
    ret (Claim (N.ldiff (need c) (N.land (at_cell t a) (at_cell t b))) (N.setbit (N.setbit (zone c) a) b)).

  (** STEP: add a reply; the state is what was read, last first. *)
  Definition add_reply (s : store) (l : list (N * claim)) : reader (list (N * claim)) :=
    y <- read_cell ;; c <- reference s ;; ret ((y, c) :: l).

  Definition step_claim (l : list (N * claim)) : claim :=
    fold_right (fun r acc => let c := before (fst r) (snd r) in
                             Claim (N.lor (need c) (need acc)) (N.lor (zone c) (zone acc))) (Claim 0 0) l.

  Definition common (l : list (N * claim)) : N :=
    match l with
    | [] => 1
    | r :: l => fold_right (fun r acc => N.land (zone (before (fst r) (snd r))) acc) (zone (before (fst r) (snd r))) l
    end.

  (** SUM: add a part. *)
  Definition add_part (s : store) (c : claim) : reader claim :=
    d <- reference s ;;
    require (N.land (zone c) (zone d) =? 0) ;;;
    ret (Claim (N.land (need c) (need d)) (N.lor (zone c) (zone d))).

  (** SWAP: the edges that may be lost, by number. *)
  Fixpoint others_hit (c : claim) (out : N) (es : list N) (i : N) : list N :=
    match es with
    | [] => []
    | e :: es => let rest := others_hit c out es (N.succ i) in
                 if N.testbit (need c) i || N.testbit e out then rest else N.land e (zone c) :: rest
    end.

  Definition swapped (c : claim) (out into : N) : claim :=
    let others := others_hit c out (edges (on t)) 0 in
    let lost := indexes (fun e => N.testbit e out && negb (N.testbit e into)
                                  && forallb (fun part => negb (subset part e)) others) (edges (on t)) 0 in
    Claim (N.lor (need c) lost) (N.setbit (N.clearbit (zone c) out) into).

  Definition derive (s : store) (tag : N) : reader claim :=
    match tag, p with
    | 1, Two => n <- number_below (cells (on t) / 2 + 1) ;; repeat (N.to_nat n) add_pair (Claim all_edges 0)
    | 2, One =>
        i <- number_below (N.of_nat (length (edges (on t)))) ;;
        match nth_error (edges (on t)) (N.to_nat i) with Some e => ret (Claim e 0) | None => malformed end
    | 3, _ =>
        n <- number_below 257 ;; l <- repeat (N.to_nat n) (add_reply s) [] ;;
        require (common l =? 0) ;;;
        let c := step_claim l in
        require (match p with Two => true | One => N.land (need c) (zone c) =? 0 end) ;;; ret c
    | 4, Two => n <- number_below 257 ;; repeat (N.to_nat n) (add_part s) (Claim all_edges 0)
    | 5, Two =>
        c <- reference s ;; out <- read_cell ;; into <- read_cell ;;
        require (N.testbit (zone c) out && negb (N.testbit (zone c) into)) ;;; ret (swapped c out into)
    | _, _ => malformed
    end.

  Definition remember (s : store) (c : claim) : store := (PositiveMap.add (N.succ_pos (snd s)) c (fst s), N.succ (snd s)).

  (** Records until END. *)
  Fixpoint records (fuel : nat) (s : store) : reader store :=
    match fuel with
    | O => malformed
    | S fuel => tag <- read_byte ;; if tag =? 0 then ret s else c <- derive s tag ;; records fuel (remember s c)
    end.

  Definition last_claim (s : store) : reader claim :=
    match snd s with
    | 0 => malformed
    | _ => match PositiveMap.find (N.succ_pos (snd s - 1)) (fst s) with Some c => ret c | None => malformed end
    end.
End Derive.
