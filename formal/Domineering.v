(** The rules of Domineering on a rectangle, any of whose squares may be blocked. Vertical (One) places dominoes that stand
    upright, Horizontal (Two) dominoes that lie flat, in turn; a player who cannot move loses. *)

From Coq Require Import NArith Arith List Bool Lia.
From Zermelo Require Import Rules Sets.
Import ListNotations.
Open Scope N_scope.

(** The square in column c of row r has the number r * cols + c. *)
Record area := Area { rows : N; cols : N }.

(** Who is to move, and the set of free squares. *)
Record state := State { to_move : player; free : N }.

(** The two squares of the domino whose upper or left square is s. *)
Definition domino (a : area) (p : player) (s : N) : N :=
  N.setbit (N.setbit 0 s) (match p with One => s + cols a | Two => s + 1 end).

Definition fits (a : area) (p : player) (s : N) : bool :=
  match p with One => s + cols a <? rows a * cols a | Two => (s mod cols a) + 1 <? cols a end.

(** The legal dominoes of a player, in the order of FORMAT.md 4. *)
Definition dominoes (a : area) (p : player) (free : N) : list N :=
  filter (fun d => subset d free) (map (domino a p) (filter (fits a p) (up_to (rows a * cols a)))).

Definition place (x : state) (d : N) : state := State (other (to_move x)) (N.ldiff (free x) d).

Definition domineering (a : area) : game := Game state to_move
  (fun x => match dominoes a (to_move x) (free x) with [] => Some (Won (other (to_move x))) | _ => None end)
  (fun x => map (place x) (dominoes a (to_move x) (free x))).

Definition empty_board (a : area) (p : player) : state := State p (N.ones (rows a * cols a)).

(** * Each game ends: every move takes squares away. *)

Definition size (a : area) (x : state) : nat := length (filter (N.testbit (free x)) (up_to (rows a * cols a))).

Lemma dominoes_spec a p f d : In d (dominoes a p f) <->
  inside d f /\ exists s, d = domino a p s /\ fits a p s = true /\ s < rows a * cols a.
Proof.
  unfold dominoes. rewrite filter_In, in_map_iff, subset_inside. split.
  - intros [[s [<- I]] S]. apply filter_In in I. rewrite in_up_to in I. split; auto. exists s. tauto.
  - intros [S [s [-> [F L]]]]. split; auto. exists s. rewrite filter_In, in_up_to. auto.
Qed.

Lemma domineering_finite a : finite (domineering a) (size a).
Proof.
  intros x O. simpl in *. destruct (dominoes a (to_move x) (free x)) as [|d l] eqn:D; [discriminate|]. split; [discriminate|].
  rewrite <- D. intros y I. apply in_map_iff in I. destruct I as [e [<- I]].
  apply dominoes_spec in I. destruct I as [I [s [-> [_ L]]]]. unfold size, place. cbn [free].
  assert (S : has (domino a (to_move x) s) s) by (unfold domino; rewrite !has_set; auto).
  apply filter_fewer with s; [| now apply in_up_to | exact (I s S) |].
  - intros e E. change (has (free x) e). change (has (N.ldiff (free x) (domino a (to_move x) s)) e) in E.
    apply has_ldiff in E. tauto.
  - destruct (N.testbit _ s) eqn:E; auto. apply has_ldiff in E. tauto.
Qed.
