(** Sets of cells as binary numbers: cell [c] is in the set [s] if bit [c] of [s] is 1. *)

From Coq Require Import NArith List Bool Lia.
Import ListNotations.
Open Scope N_scope.

Definition has (s c : N) : Prop := N.testbit s c = true.
Definition inside (a b : N) : Prop := forall c, has a c -> has b c.
Definition apart (a b : N) : Prop := forall c, has a c -> has b c -> False.

(** The numbers from 0 to n - 1. *)
Definition up_to (n : N) : list N := map N.of_nat (seq 0 (N.to_nat n)).

Definition subset (a b : N) : bool := N.land a b =? a.

Lemma has_dec s c : {has s c} + {~ has s c}.
Proof. unfold has. destruct (N.testbit s c); [left | right]; congruence. Qed.

Lemma has_0 c : ~ has 0 c.
Proof. unfold has. now rewrite N.bits_0. Qed.

Lemma has_set s d c : has (N.setbit s d) c <-> c = d \/ has s c.
Proof.
  unfold has. rewrite N.setbit_eqb, orb_true_iff, N.eqb_eq. intuition.
Qed.

Lemma has_clear s d c : has (N.clearbit s d) c <-> has s c /\ c <> d.
Proof.
  unfold has. rewrite N.clearbit_eqb, andb_true_iff, negb_true_iff, N.eqb_neq. intuition.
Qed.

Lemma has_lor a b c : has (N.lor a b) c <-> has a c \/ has b c.
Proof. unfold has. now rewrite N.lor_spec, orb_true_iff. Qed.

Lemma has_land a b c : has (N.land a b) c <-> has a c /\ has b c.
Proof. unfold has. now rewrite N.land_spec, andb_true_iff. Qed.

Lemma has_ldiff a b c : has (N.ldiff a b) c <-> has a c /\ ~ has b c.
Proof. unfold has. rewrite N.ldiff_spec, andb_true_iff, negb_true_iff, not_true_iff_false. tauto. Qed.

Lemma has_some s : s <> 0 -> exists c, has s c.
Proof.
  intros H. exists (N.log2 s). unfold has. apply N.bit_log2. exact H.
Qed.

Lemma sets_equal a b : (forall c, has a c <-> has b c) -> a = b.
Proof.
  intros H. apply N.bits_inj. intro c. specialize (H c). unfold has in H.
  destruct (N.testbit a c), (N.testbit b c); auto; [symmetry|]; tauto.
Qed.

Lemma clear_smaller s c : has s c -> N.clearbit s c < s.
Proof.
  intros H. destruct (N.lt_trichotomy (N.clearbit s c) s) as [L | [L | L]]; [exact L | |].
  - exfalso. assert (C : has (N.clearbit s c) c) by now rewrite L. apply has_clear in C. tauto.
  - exfalso. assert (D : N.ldiff (N.clearbit s c) s = 0).
    { apply sets_equal. intro d. rewrite has_ldiff, has_clear. split; [tauto|]. intro X. now apply has_0 in X. }
    apply N.ldiff_le in D. lia.
Qed.

Lemma subset_inside a b : subset a b = true <-> inside a b.
Proof.
  unfold subset. rewrite N.eqb_eq. split.
  - intros E c H. rewrite <- E, has_land in H. tauto.
  - intros I. apply sets_equal. intro c. rewrite has_land. specialize (I c). tauto.
Qed.

Lemma apart_land a b : N.land a b = 0 <-> apart a b.
Proof.
  split.
  - intros E c A B. apply (has_0 c). rewrite <- E, has_land. tauto.
  - intros D. apply sets_equal. intro c. rewrite has_land. split; [intros [A B]; now destruct (D c)|].
    intro X. now apply has_0 in X.
Qed.

Lemma in_up_to n c : In c (up_to n) <-> c < n.
Proof.
  unfold up_to. rewrite in_map_iff. split.
  - intros [k [<- I]]. apply in_seq in I. lia.
  - intros L. exists (N.to_nat c). split; [lia|]. apply in_seq. lia.
Qed.

Lemma filter_fewer {A} (f g : A -> bool) (l : list A) c :
  (forall d, g d = true -> f d = true) -> In c l -> f c = true -> g c = false ->
  (length (filter g l) < length (filter f l))%nat.
Proof.
  intros GF. assert (LE : forall l, (length (filter g l) <= length (filter f l))%nat).
  { induction l0 as [|a l0 IH]; simpl; auto. specialize (GF a). destruct (g a), (f a); simpl; lia. }
  induction l as [|a l IH]; simpl; [easy|]. intros [<-|I] Fc Gc.
  - rewrite Fc, Gc. simpl. specialize (LE l). lia.
  - specialize (IH I Fc Gc). specialize (GF a). destruct (g a), (f a); simpl; lia.
Qed.
