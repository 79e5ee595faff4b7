(** The whole checker: from the payload of a certificate, unpacked, to the statement that it proves. *)

From Coq Require Import NArith List.
From Coq.Init Require Import Byte.
From Zermelo Require Import Rules Positional Bytes Claims Strong Trees.
Import ListNotations.
Open Scope N_scope.

Inductive verified :=
| Strategy (s : tree_statement)          (* Domineering *)
| BlockingGame (s : statement)           (* Maker-Breaker *)
| StrongGame (s : strong_statement).     (* whoever first has an edge wins *)

(** What a verified certificate says, by the rules of the games alone. *)
Definition is_true (v : verified) : Prop :=
  match v with Strategy s => tree_holds s | BlockingGame s => holds s | StrongGame s => strong_holds s end.

Definition check_payload : reader verified :=
  game <- read_byte ;;
  match game with
  | 1 => s <- check_tree ;; ret (Strategy s)
  | 2 => s <- check_claim read_mnk ;; ret (BlockingGame s)
  | 3 => s <- check_claim read_hypergraph ;; ret (BlockingGame s)
  | 6 => s <- check_strong read_mnk ;; ret (StrongGame s)
  | 7 => s <- check_strong read_hypergraph ;; ret (StrongGame s)
  | 4 | 5 | 8 => unproved
  | _ => malformed
  end.

Theorem checked_is_true payload v rest : check_payload payload = Ok (v, rest) -> is_true v.
Proof.
  intros E. unfold check_payload in E. apply bind_ok in E. destruct E as [g [u [_ E]]].
  destruct g as [|g]; [discriminate|].
  do 4 (try (destruct g as [g|g|]; try discriminate)); apply bind_ok in E; destruct E as [s [w [E R]]];
  injection R as <- _; solve [now apply check_tree_true in E | now apply check_claim_true in E | now apply check_strong_true in E].
Qed.

Print Assumptions checked_is_true.
