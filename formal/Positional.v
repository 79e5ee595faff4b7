(** The rules of positional games. Two players mark free cells in turn. Some sets of cells are called edges: the lines of
    tic-tac-toe, gomoku and every other m,n,k game, or any sets at all. *)

From Coq Require Import NArith List Bool Lia.
From Zermelo Require Import Rules Sets.
Import ListNotations.
Open Scope N_scope.

(** The cells are numbered from 0 to [cells] - 1; an edge is a set of cells. *)
Record board := Board { cells : N; edges : list N }.

(** Who has marked which cells, and who is to move. *)
Record marking := Marking { turn : player; of_one : N; of_two : N }.

Definition marks (p : player) (x : marking) : N := match p with One => of_one x | Two => of_two x end.

Definition is_free (x : marking) (c : N) : bool := negb (N.testbit (of_one x) c || N.testbit (of_two x) c).

Definition free_cells (b : board) (x : marking) : list N := filter (is_free x) (up_to (cells b)).

Definition mark (x : marking) (c : N) : marking :=
  match turn x with
  | One => Marking Two (N.setbit (of_one x) c) (of_two x)
  | Two => Marking One (of_one x) (N.setbit (of_two x) c)
  end.

Definition holds_edge (b : board) (s : N) : bool := existsb (fun e => subset e s) (edges b).

Definition full (b : board) (x : marking) : bool := match free_cells b x with [] => true | _ => false end.

Definition marks_in_turn (b : board) (x : marking) : list marking := map (mark x) (free_cells b x).

(** Maker-Breaker: Maker (One) wins by marking all cells of an edge; if the board is full and she has not, Breaker wins. *)
Definition maker_breaker (b : board) : game := Game marking turn
  (fun x => if holds_edge b (of_one x) then Some (Won One) else if full b x then Some (Won Two) else None)
  (marks_in_turn b).

(** The strong game: whoever first marks all cells of an edge wins; if the board is full and nobody has, it is a draw. *)
Definition strong (b : board) : game := Game marking turn
  (fun x => if holds_edge b (of_one x) then Some (Won One) else if holds_edge b (of_two x) then Some (Won Two)
            else if full b x then Some Draw else None)
  (marks_in_turn b).

(** m,n,k: m columns, n rows, k in a row. The cell in column c of row r has the number r * m + c; a line begins at each cell in
    four directions, and is an edge if it fits. The order is that of FORMAT.md 6.1. *)
Fixpoint line (k : nat) (m col row : N) (step : N -> N) (down : N) : N :=
  match k with
  | O => 0
  | S k => N.setbit (line k m (step col) (row + down) step down) (row * m + col)
  end.

Definition lines_from (m n k col row : N) : list N :=
  let count := N.to_nat k in
  let right := (col + k <=? m) in let below := (row + k <=? n) in let left := (k <=? col + 1) in
  (if right then [line count m col row N.succ 0] else [])
  ++ (if (1 <? k) then
        (if below then [line count m col row (fun c => c) 1] else [])
        ++ (if andb right below then [line count m col row N.succ 1] else [])
        ++ (if andb left below then [line count m col row N.pred 1] else [])
      else []).

Definition mnk (m n k : N) : board :=
  Board (m * n) (flat_map (fun row => flat_map (fun col => lines_from m n k col row) (up_to m)) (up_to n)).

Definition empty : marking := Marking One 0 0.

(** * Each of these games ends: every move leaves one free cell less. *)

Definition rank (b : board) (x : marking) : nat := length (free_cells b x).

Lemma in_free b x c : In c (free_cells b x) <-> c < cells b /\ ~ has (of_one x) c /\ ~ has (of_two x) c.
Proof.
  unfold free_cells. rewrite filter_In, in_up_to. unfold is_free, has.
  destruct (N.testbit (of_one x) c), (N.testbit (of_two x) c); simpl; intuition congruence.
Qed.

Lemma is_free_mark x c d : is_free (mark x c) d = true -> is_free x d = true /\ d <> c.
Proof.
  unfold is_free, mark. destruct (turn x); simpl; rewrite N.setbit_eqb; destruct (N.eqb_spec c d); subst; simpl;
  destruct (N.testbit (of_one x) d), (N.testbit (of_two x) d); simpl; intuition congruence.
Qed.

Lemma mark_rank b x c : In c (free_cells b x) -> (rank b (mark x c) < rank b x)%nat.
Proof.
  intros I. unfold rank, free_cells in *. apply filter_In in I. destruct I as [U Fc].
  apply filter_fewer with c; auto.
  - intros d D. now apply is_free_mark in D.
  - destruct (is_free (mark x c) c) eqn:E; [|reflexivity]. apply is_free_mark in E. now destruct E.
Qed.

Lemma marking_finite b x :
  full b x = false -> marks_in_turn b x <> [] /\ (forall y, In y (marks_in_turn b x) -> (rank b y < rank b x)%nat).
Proof.
  unfold full, marks_in_turn. intros Fl. split.
  - destruct (free_cells b x); [discriminate|]. simpl. discriminate.
  - intros y I. apply in_map_iff in I. destruct I as [c [<- I]]. now apply mark_rank.
Qed.

Lemma maker_breaker_finite b : finite (maker_breaker b) (rank b).
Proof.
  intros x O. simpl in *. destruct (holds_edge b (of_one x)); [discriminate|].
  destruct (full b x) eqn:Fl; [discriminate|]. now apply marking_finite.
Qed.

Lemma strong_finite b : finite (strong b) (rank b).
Proof.
  intros x O. simpl in *. destruct (holds_edge b (of_one x)); [discriminate|].
  destruct (holds_edge b (of_two x)); [discriminate|]. destruct (full b x) eqn:Fl; [discriminate|].
  now apply marking_finite.
Qed.
