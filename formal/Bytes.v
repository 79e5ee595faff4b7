(** Reading a payload byte by byte: numbers of seven bits a byte, lowest first (FORMAT.md 2). *)

From Coq Require Import NArith List Lia.
From Coq.Init Require Import Byte.
From Coq.Strings Require Import Byte.
Import ListNotations.
Open Scope N_scope.

Inductive outcome (A : Type) := Ok (a : A) | Rejected | Malformed | Unproved.
Arguments Ok {A}. Arguments Rejected {A}. Arguments Malformed {A}. Arguments Unproved {A}.

(** A reader takes the bytes that are left, and returns what it has read and the bytes after it. *)
Definition reader (A : Type) := list byte -> outcome (A * list byte).

Definition ret {A} (a : A) : reader A := fun s => Ok (a, s).
Definition bind {A B} (r : reader A) (f : A -> reader B) : reader B := fun s =>
  match r s with Ok (a, s) => f a s | Rejected => Rejected | Malformed => Malformed | Unproved => Unproved end.
Definition reject {A} : reader A := fun _ => Rejected.
Definition malformed {A} : reader A := fun _ => Malformed.
Definition unproved {A} : reader A := fun _ => Unproved.     (* a kind of claim that is not proved here *)
Definition require (test : bool) : reader unit := if test then ret tt else reject.
Definition well_formed (test : bool) : reader unit := if test then ret tt else malformed.

Notation "x <- r ;; k" := (bind r (fun x => k)) (at level 60, r at next level, right associativity).
Notation "r ;;; k" := (bind r (fun _ => k)) (at level 60, right associativity).

Definition read_byte : reader N := fun s => match s with [] => Malformed | b :: s => Ok (to_N b, s) end.

(** At most nine bytes, the last one not zero unless it stands alone. *)
Fixpoint varint_from (bytes : nat) (shift value : N) : reader N :=
  match bytes with
  | O => malformed
  | S bytes =>
      part <- read_byte ;;
      if part <? 128 then
        if andb (part =? 0) (0 <? shift) then malformed else ret (value + N.shiftl part shift)
      else varint_from bytes (shift + 7) (value + N.shiftl (part - 128) shift)
  end.

Definition varint : reader N := varint_from 9 0 0.

Definition number_below (bound : N) : reader N := n <- varint ;; well_formed (n <? bound) ;;; ret n.

Definition end_of_payload : reader unit := fun s => match s with [] => Ok (tt, []) | _ => Malformed end.

(** Repeats a reader, and hands on what it makes of a state. *)
Fixpoint repeat {A} (times : nat) (step : A -> reader A) (a : A) : reader A :=
  match times with
  | O => ret a
  | S times => b <- step a ;; repeat times step b
  end.

(** How many bytes there are, counted without a stack as deep as the payload is long. *)
Definition count (s : list byte) : nat := fold_left (fun n _ => S n) s O.

(** * What it means that a reader succeeds *)

Lemma bind_ok {A B} (r : reader A) (f : A -> reader B) s b t :
  bind r f s = Ok (b, t) -> exists a u, r s = Ok (a, u) /\ f a u = Ok (b, t).
Proof. unfold bind. destruct (r s) as [[a u]| | |]; intros E; try discriminate. eauto. Qed.

Lemma require_ok test s a t : require test s = Ok (a, t) -> test = true.
Proof. unfold require. now destruct test. Qed.

Lemma well_formed_ok test s a t : well_formed test s = Ok (a, t) -> test = true.
Proof. unfold well_formed. now destruct test. Qed.

Lemma number_below_ok bound s n t : number_below bound s = Ok (n, t) -> n < bound.
Proof.
  intros E. apply bind_ok in E. destruct E as [a [u [_ E]]]. apply bind_ok in E. destruct E as [[] [v [W E]]].
  apply well_formed_ok in W. injection E as <- _. now apply N.ltb_lt.
Qed.

Lemma repeat_ok {A} (P : A -> Prop) (step : A -> reader A) :
  (forall a s b t, P a -> step a s = Ok (b, t) -> P b) ->
  forall times a s b t, P a -> repeat times step a s = Ok (b, t) -> P b.
Proof.
  intros H. induction times as [|times IH]; simpl; intros a s b t Pa E.
  - injection E as <- _. exact Pa.
  - apply bind_ok in E. destruct E as [c [u [E1 E2]]]. eauto.
Qed.

(** Takes apart a hypothesis that a chain of readers succeeds. *)
Ltac split_reads H :=
  lazymatch type of H with
  | bind _ _ _ = Ok _ =>
      let a := fresh "a" in let u := fresh "s" in let E := fresh "E" in
      apply bind_ok in H; destruct H as [a [u [E H]]]; cbv beta in H; split_reads H
  | require ?c _ = Ok _ => apply require_ok in H
  | well_formed ?c _ = Ok _ => apply well_formed_ok in H
  | _ => idtac
  end.
